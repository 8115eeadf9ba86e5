package serve

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
)

func TestDemoFlags(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, database, want string }{
		{"the data directory leads to the database and to its key", "sqlite:/tmp/d/boardwatch.db", `--data-dir "/tmp/d"`},
		{"a database elsewhere is named too", "sqlite:/srv/b.db", `--data-dir "/tmp/d" --database "sqlite:/srv/b.db"`},
		{"without its password", "postgres://boards:pw@db/boards", `--data-dir "/tmp/d" --database "postgres://boards:xxxxx@db/boards"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, demoFlags(config.Config{DataDir: "/tmp/d", Database: config.Secret(tt.database)}))
		})
	}
}
