package main_test

import (
	"database/sql" //nolint:depguard // to make a database that no store of this version makes
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // the driver "sqlite"

	main "github.com/boardwatch/boardwatch/cmd/boardwatch"
)

func TestDoctorRefusesADatabaseOfANewerVersion(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "boards.db")
	i := install(t, "sqlite:"+file)
	i.do(&struct{}{}, "account", "create", "--email", e2eEmail, "--plan", "pro")
	db, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "INSERT INTO bun_migrations (name, group_id) VALUES ('9999', 99)")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	const sentence = "it was made by a newer version of boardwatch"
	for _, args := range [][]string{
		{"account", "list"},
		{"serve", "--listen", "127.0.0.1:0"},
		{"migrate"},
		{"migrate", "--status"},
		{"backup", filepath.Join(t.TempDir(), "backup.gz")},
	} {
		i.refuses(1, sentence, args...)
	}
	var out, errs output
	require.Equal(t, 1, main.Execute(t.Context(), i.cli(&out, &errs), []string{"doctor"}))
	require.Contains(t, out.String(), sentence)
}
