package command

import (
	"errors"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

func TestRefused(t *testing.T) {
	t.Parallel()
	fields := boardwatch.InvalidFields([]boardwatch.FieldError{
		{Field: "to", Message: "must begin with https://"}, {Field: "searches", Message: "names one that is not there"}, {Field: "channel", Message: "there are ten already"},
	})
	hint := func(field string) string {
		if field == "to" {
			return "; or so"
		}
		return ""
	}
	err := Refused(&cobra.Command{Use: "add"}, fields, map[string]string{"searches": "--search", "channel": ""}, hint)
	require.EqualError(t, err, "--to must begin with https://; or so\n--search names one that is not there\nthere are ten already")
	other := errors.New("the database is away")
	require.Equal(t, other, Refused(nil, other, nil, nil), "what no flag is to blame for stays as it is")
}
