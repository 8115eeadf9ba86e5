package main_test

import (
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestDemoKey(t *testing.T) {
	t.Parallel()
	line := regexp.MustCompile(`curl -H "Authorization: (Bearer \w+)" "?(http\S+?)"?\n`)
	i := install(t, "sqlite:"+t.TempDir()+"/boards.db")
	for range 2 { // the second demo in the same directory works just so
		r := i.serve("--demo")
		require.Eventually(t, func() bool { return len(line.FindAllString(r.out.String(), -1)) == 3 }, 3*time.Minute, 10*time.Millisecond, "%s", r.errs)
		for _, found := range line.FindAllStringSubmatch(r.out.String(), -1) {
			answer := send(t, http.MethodGet, found[2], "", "Authorization", found[1])
			require.Equal(t, http.StatusOK, answer.status, "%s: %s", found[2], answer.body)
		}
		r.stop()
		require.Zero(t, <-r.code, "%s", r.errs)
	}
}
