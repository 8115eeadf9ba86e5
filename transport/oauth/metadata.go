package oauth

import (
	"net/http"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// publicly is how long a document may be kept by whoever fetches it.
const publicly = "public, max-age=900"

// serverDocument describes the authorization server (RFC 8414).
func (h *Handler) serverDocument(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", publicly)
	write(w, http.StatusOK, answer{
		"issuer":                                         h.issuer,
		"authorization_endpoint":                         h.issuer + authorizePath,
		"token_endpoint":                                 h.issuer + tokenPath,
		"registration_endpoint":                          h.issuer + registerPath,
		"revocation_endpoint":                            h.issuer + revokePath,
		"scopes_supported":                               allScopes(),
		"response_types_supported":                       []string{"code"},
		"response_modes_supported":                       []string{"query"},
		"grant_types_supported":                          []string{account.GrantTypeCode, account.GrantTypeRefresh},
		"token_endpoint_auth_methods_supported":          []string{"none"},
		"revocation_endpoint_auth_methods_supported":     []string{"none"},
		"code_challenge_methods_supported":               []string{"S256"},
		"client_id_metadata_document_supported":          true,
		"authorization_response_iss_parameter_supported": true,
		"service_documentation":                          h.issuer + "/docs",
	})
}

// resourceDocument describes what the tokens are for (RFC 9728). It does not name offline_access, which is between the
// client and the authorization server.
func (h *Handler) resourceDocument(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", publicly)
	write(w, http.StatusOK, answer{
		"resource":                 Resource(h.issuer),
		"authorization_servers":    []string{h.issuer},
		"scopes_supported":         []account.Scope{account.ScopeBoardsRead, account.ScopeBoardsWrite},
		"bearer_methods_supported": []string{"header"},
		"resource_name":            "boardwatch",
		"resource_documentation":   h.issuer + "/docs",
	})
}
