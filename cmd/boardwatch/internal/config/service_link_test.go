package config_test

import (
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
)

// links is what Kubernetes sets in a namespace with the Services boardwatch, boardwatch-postgres and boardwatch-metrics.
func links() []string {
	return []string{
		"BOARDWATCH_SERVICE_HOST=10.96.4.7", "BOARDWATCH_SERVICE_PORT=80", "BOARDWATCH_SERVICE_PORT_HTTP=80",
		"BOARDWATCH_PORT=tcp://10.96.4.7:80", "BOARDWATCH_PORT_80_TCP=tcp://10.96.4.7:80", "BOARDWATCH_PORT_80_TCP_PROTO=tcp",
		"BOARDWATCH_PORT_80_TCP_PORT=80", "BOARDWATCH_PORT_80_TCP_ADDR=10.96.4.7",
		"BOARDWATCH_POSTGRES_SERVICE_HOST=fd00::7", "BOARDWATCH_POSTGRES_SERVICE_PORT=5432",
		"BOARDWATCH_POSTGRES_SERVICE_PORT_TCP_POSTGRESQL=5432", "BOARDWATCH_POSTGRES_PORT=tcp://[fd00::7]:5432",
		"BOARDWATCH_POSTGRES_PORT_5432_TCP=tcp://[fd00::7]:5432", "BOARDWATCH_POSTGRES_PORT_5432_TCP_ADDR=fd00::7",
		"BOARDWATCH_METRICS_PORT_9090_UDP_PROTO=udp", "BOARDWATCH_METRICS_PORT_9090_UDP_PORT=9090",
	}
}

func TestVariablesOfKubernetesAreNoSettings(t *testing.T) {
	t.Parallel()
	environ := append(links(), "BOARDWATCH_CHECKS_CLOSE_AFTER=7")
	l, err := config.Load(config.Source{File: emptyFile(t), Flags: pflag.NewFlagSet("serve", pflag.ContinueOnError), Environ: environ})
	require.NoError(t, err)
	require.Equal(t, 7, l.Checks.CloseAfter)
}

func TestOnlyWhatKubernetesSetsPassesForIt(t *testing.T) {
	t.Parallel()
	for _, misspelt := range []string{
		"BOARDWATCH_PORT=8080", "BOARDWATCH_HTTP_PORT=8080", "BOARDWATCH_SERVICE_HOST=boards.example", "BOARDWATCH_SERVICE_PORT=http",
		"BOARDWATCH_PORT_HTTP_TCP=tcp://10.96.4.7:80", "BOARDWATCH_PORT_80_TCP_NAME=http", "BOARDWATCH_SERVICE=10.96.4.7",
		"BOARDWATCH_LISTEN_ADDR=127.0.0.1", "BOARDWATCH_HOST=10.96.4.7",
	} {
		_, err := config.Load(config.Source{File: emptyFile(t), Flags: pflag.NewFlagSet("serve", pflag.ContinueOnError), Environ: []string{misspelt}})
		require.ErrorContains(t, err, "no setting has this variable", misspelt)
	}
}

// No Service of any name may give a setting its value.
func TestNoSettingHasTheNameOfAVariableOfKubernetes(t *testing.T) {
	t.Parallel()
	for _, s := range config.Settings() {
		for _, value := range []string{"10.96.4.7", "80", "tcp", "tcp://10.96.4.7:80"} {
			require.False(t, config.IsServiceLink(s.Variable(), value), s.Variable())
			require.False(t, config.IsServiceLink(s.Variable()+"_FILE", value), s.Variable())
		}
	}
}
