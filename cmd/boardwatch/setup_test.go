package main_test

import (
	"html"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	main "github.com/boardwatch/boardwatch/cmd/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
)

// The first page of an installation names a command. Typed as it stands there, it makes an account that can sign in.
func TestTheSetupPageNamesACommandThatWorks(t *testing.T) {
	t.Parallel()
	i := install(t, "sqlite:"+t.TempDir()+"/setup.db")
	service := i.serve()
	page := fetched(t, service.url+"/setup")
	typedCommand := regexp.MustCompile(`(?s)<code>(.*?)</code>`).FindStringSubmatch(page)
	require.NotNil(t, typedCommand, page)
	words := strings.Fields(html.UnescapeString(regexp.MustCompile(`<[^>]+>`).ReplaceAllString(typedCommand[1], "")))
	require.Equal(t, "boardwatch", words[0])
	var out, errs output
	typed := &command.CLI{In: strings.NewReader("a sentence that only ada would say\n"), Out: &out, Err: &errs, Environ: i.env, Now: time.Now}
	require.Zero(t, main.Execute(t.Context(), typed, words[1:]), "%s", &errs)
	require.Contains(t, out.String(), `"admin": true`)
	require.Contains(t, fetched(t, service.url+"/"), "Sign in")
}

// fetched is a page as somebody gets it who has not signed in.
func fetched(t *testing.T, address string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return string(text)
}
