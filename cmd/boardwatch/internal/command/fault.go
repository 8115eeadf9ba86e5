package command

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
)

// NotMade adds what can be done about the refusal of a key or a webhook. What is wrong with how it was wished for is a
// mistake in the command line; that there are as many already is not.
func NotMade(cmd *cobra.Command, thing string, err error, owner account.Account) error {
	e, ok := errors.AsType[*boardwatch.Error](err)
	if !ok {
		return err
	}
	if e.Code == boardwatch.CodePlanRequired {
		return exit.Fail(e, fmt.Sprintf("Run \"boardwatch account set-plan %s PLAN\" first.", owner.Email))
	}
	if fields, ok := e.Details.([]boardwatch.FieldError); ok && fields[0].Field != thing {
		return exit.Usage(cmd, e)
	}
	return err
}

// Refused names what is wrong with the fields of a form by the flags that give them. flags has those that are called otherwise
// than their fields; with an empty one, the message speaks for itself. hint, which may be nil, is what follows a message.
func Refused(cmd *cobra.Command, err error, flags map[string]string, hint func(field string) string) error {
	e, ok := errors.AsType[*boardwatch.Error](err)
	if !ok {
		return err
	}
	fields, ok := e.Details.([]boardwatch.FieldError)
	if !ok {
		return err
	}
	sentences := make([]string, len(fields))
	for i, f := range fields {
		flag, renamed := flags[f.Field]
		if !renamed {
			flag = "--" + f.Field
		}
		sentences[i] = strings.TrimLeft(flag+" "+f.Message, " ")
		if hint != nil {
			sentences[i] += hint(f.Field)
		}
	}
	return exit.Usage(cmd, errors.New(strings.Join(sentences, "\n")))
}

// SettingFault is what is wrong with the value of a flag.
func SettingFault(flag string, err error) error {
	if e, ok := errors.AsType[*boardwatch.Error](err); ok {
		if fields, ok := e.Details.([]boardwatch.FieldError); ok && len(fields) > 0 {
			return errors.New(flag + " " + fields[0].Message)
		}
	}
	return err
}

// Must is for mistakes of the programmer.
func Must(err error) {
	if err != nil {
		panic(err)
	}
}
