package diagnosis

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/transport/mail/mailtest"
)

func TestMailServersOfPrivateAuthorities(t *testing.T) {
	t.Parallel()
	certificate, authority := mailtest.Certificate(t)
	server := mailtest.New(t, mailtest.Options{Password: "a#b/c@d%e", Login: true, TLS: certificate})
	empty := filepath.Join(t.TempDir(), "empty.pem")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	for name, tt := range map[string]struct {
		caFile string
		verify bool
		state  State
		says   string
	}{
		"unknown":           {"", true, Fault, "certificate"},
		"known":             {authority, true, OK, "takes mail"},
		"not checked":       {"", false, Warning, "takes mail, but its certificate is not checked (mail.tls_verify)"},
		"without the file":  {empty + "x", true, Fault, "mail.ca_file: read " + empty + "x: no such file or directory"},
		"without authority": {empty, true, Fault, "contains no certificate in PEM"},
	} {
		got := examineMail(t.Context(), config.Config{Mail: config.Mail{
			SMTPURL: config.Secret("smtp://boardwatch@" + server.Addr), Password: "a#b/c@d%e", CAFile: tt.caFile, TLSVerify: tt.verify,
		}})
		require.Equal(t, tt.state, got.State, "%s: %s", name, got.Detail)
		require.Contains(t, got.Detail, tt.says, name)
	}
}
