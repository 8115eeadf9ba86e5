package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Takes is the rule of a command with exactly these arguments.
func Takes(names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return missing(names[len(args):])
		}
		return AtMost(len(names))(cmd, args)
	}
}

// TakesSome is the rule of a command with one argument or more.
func TakesSome(name string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("give at least one %s", name)
		}
		return nil
	}
}

// AtMost is the rule of a command whose arguments may be left out.
func AtMost(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > n {
			return fmt.Errorf("%q is one argument too many for %q", args[n], cmd.CommandPath())
		}
		return nil
	}
}

// MissingFlags names the flags that a command cannot do without and that were not given.
func MissingFlags(cmd *cobra.Command, _ []string) error {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if len(f.Annotations[cobra.BashCompOneRequiredFlag]) > 0 && !f.Changed {
			names = append(names, "--"+f.Name)
		}
	})
	return missing(names)
}

// missing is a sentence about what has to be given and was not; nil when nothing is missing.
func missing(names []string) error {
	switch len(names) {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("%s is missing", names[0])
	default:
		return fmt.Errorf("%s are missing", strings.Join(names, " and "))
	}
}

// FlagFault says what is wrong with a flag.
func FlagFault(err error) error {
	if e, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return fmt.Errorf("--%s cannot be %q: it takes %s", e.GetFlag().Name, e.GetValue(), kindOf(e.GetFlag()))
	}
	if e, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		return fmt.Errorf("--%s needs a value", e.GetFlag().Name)
	}
	return err
}

// kindOf is what a flag takes, for a person.
func kindOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int", "int64":
		return "a whole number"
	case "bool":
		return "true or false"
	case "duration":
		return "a duration such as 30s, 5m or 24h"
	default:
		return "something else"
	}
}
