package oauth

import (
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

const (
	longestRegistration = 64 << 10
	mostRedirects       = 10
	longestName         = 100  // in characters
	longestText         = 2000 // of other texts, in bytes
)

// register makes a client known (RFC 7591). Anybody may, so often and so much.
func (h *Handler) register(w http.ResponseWriter, r *http.Request) {
	c, links, err := h.registration(w, r)
	if err == nil {
		err = h.clients.Take(r.RemoteAddr)
	}
	if err == nil {
		c, err = h.grants.Register(r.Context(), c)
	}
	if err != nil {
		h.fail(w, r, err)
		return
	}
	a := answer{
		"client_id": c.ID, "client_id_issued_at": c.CreatedAt.Unix(), "redirect_uris": c.RedirectURIs,
		"grant_types": c.GrantTypes, "response_types": []string{"code"}, "token_endpoint_auth_method": "none",
	}
	for name, text := range map[string]string{"client_name": c.Name, "client_uri": c.URI, "application_type": c.Kind, "scope": c.Scope} {
		if text != "" {
			a[name] = text
		}
	}
	for name, address := range links {
		a[name] = address
	}
	write(w, http.StatusCreated, a)
}

// registration reads what a client says about itself, and the links that are given back but not kept.
func (h *Handler) registration(w http.ResponseWriter, r *http.Request) (account.Client, map[string]string, error) {
	if err := h.signups.Take(r.RemoteAddr); err != nil {
		return account.Client{}, nil, err
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return account.Client{}, nil, &fault{invalidMetadata, "the body must be application/json"}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, longestRegistration))
	if err != nil {
		return account.Client{}, nil, &fault{invalidMetadata, "the body cannot be read, or is too long"}
	}
	m, err := readMetadata(body)
	if err != nil {
		return account.Client{}, nil, &fault{invalidMetadata, err.Error()}
	}
	if err := m.checkMethods("client_secret_post", "client_secret_basic"); err != nil { // it is registered without a secret
		return account.Client{}, nil, err
	}
	c, err := m.client(h.o.Schemes)
	if err != nil {
		return account.Client{}, nil, err
	}
	links := map[string]string{}
	for _, name := range []string{"logo_uri", "tos_uri", "policy_uri"} {
		link, err := m.link(name)
		if err != nil {
			return account.Client{}, nil, err
		}
		if link != "" {
			links[name] = link
		}
	}
	if c.Size() > account.MaxClientSize {
		return account.Client{}, nil, &fault{invalidMetadata, "the metadata of a client must be at most 4 KiB in all: register fewer or shorter redirect_uris"}
	}
	return c, links, nil
}

// client is what the metadata of a client come to, from a registration or from a document.
func (m metadata) client(schemes []string) (account.Client, error) {
	var c account.Client
	named, err := m.list("redirect_uris")
	if err != nil || len(named) == 0 || len(named) > mostRedirects {
		return c, &fault{invalidRedirect, "redirect_uris must be a list of one to ten addresses"}
	}
	for _, raw := range named {
		if _, ok := redirectOf(raw, schemes); ok {
			c.RedirectURIs = append(c.RedirectURIs, raw)
		}
	}
	if len(c.RedirectURIs) == 0 {
		return c, &fault{invalidRedirect, "no address in redirect_uris can be used: they must be https, or http on 127.0.0.1, [::1] or localhost, " +
			"without user, fragment or wildcard"}
	}
	if c.GrantTypes, err = m.grantTypes(); err != nil {
		return c, err
	}
	for name, to := range map[string]*string{"client_name": &c.Name, "application_type": &c.Kind, "scope": &c.Scope} {
		if *to, err = m.text(name); err != nil {
			return c, err
		}
	}
	c.Name = tidy(c.Name)
	c.URI, err = m.link("client_uri")
	return c, err
}

// checkMethods refuses a client that authenticates in another way than none and those given, and cannot do without.
func (m metadata) checkMethods(others ...string) error {
	method, err := m.text("token_endpoint_auth_method")
	if err != nil {
		return err
	}
	also, err := m.list("token_endpoint_auth_methods_supported")
	if err != nil {
		return err
	}
	if method != "" && method != "none" && !slices.Contains(also, "none") && !slices.Contains(others, method) {
		return &fault{invalidMetadata, "token_endpoint_auth_method must be none: clients are public here"}
	}
	return nil
}

// grantTypes are those of the client that there are here.
func (m metadata) grantTypes() ([]string, error) {
	wanted, err := m.list("grant_types")
	if err != nil {
		return nil, err
	}
	kept := []string{account.GrantTypeCode}
	if slices.Contains(wanted, account.GrantTypeRefresh) {
		kept = append(kept, account.GrantTypeRefresh)
	}
	if len(wanted) > 0 && !slices.Contains(wanted, account.GrantTypeCode) {
		return nil, &fault{invalidMetadata, "grant_types must hold authorization_code"}
	}
	return kept, nil
}

// link is the address of a page; it is never loaded.
func (m metadata) link(name string) (string, error) {
	raw, err := m.text(name)
	if err != nil || raw == "" {
		return "", err
	}
	u, err := url.Parse(raw)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil {
		return "", &fault{invalidMetadata, name + " must be an https address"}
	}
	return raw, nil
}

// tidy is a name without what could make it look like something else.
func tidy(name string) string {
	name = strings.Map(func(c rune) rune {
		if unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c) || unicode.Is(unicode.Cf, c) || c == unicode.ReplacementChar ||
			c == '\u2028' || c == '\u2029' {
			return -1
		}
		return c
	}, name)
	letters := []rune(strings.Join(strings.Fields(name), " "))
	return strings.TrimSpace(string(letters[:min(len(letters), longestName)]))
}
