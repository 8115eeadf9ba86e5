package web

import (
	"errors"
	"html/template"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// fault is what is wrong with a form, as a sentence.
type fault struct {
	Form  string // the path that the form is sent to
	Field string // the name of its field; empty when the fault is of the whole form
	Text  string
}

// String is the sentence.
func (f fault) String() string { return f.Text }

// ID is that of the sentence on the page.
func (f fault) ID() string { return "wrong" + strings.ReplaceAll(f.Form, "/", "-") + "-" + f.Field }

// faults are what is wrong with a form.
type faults []fault

// faultsOf is what an error says about a form.
func faultsOf(form string, err error) faults {
	fields := fieldsOf(err)
	if len(fields) == 0 {
		return faults{{form, "", wholeSentence(err)}}
	}
	out := make(faults, len(fields))
	for i, f := range fields {
		out[i] = fault{form, inputOf(f.Field), fieldSentence(f)}
	}
	return out
}

// sentences are what is wrong with a request, for a person.
func sentences(err error) []string {
	var out []string
	for _, f := range faultsOf("", err) {
		out = append(out, f.Text)
	}
	return out
}

// fieldsOf are the fields that an error names.
func fieldsOf(err error) []boardwatch.FieldError {
	e, ok := errors.AsType[*boardwatch.Error](err)
	if !ok {
		return nil
	}
	fields, _ := e.Details.([]boardwatch.FieldError)
	return fields
}

func wholeSentence(err error) string {
	if errors.Is(err, account.ErrBusy) {
		return sentence(account.ErrBusy.Error())
	}
	if errors.Is(err, account.ErrStale) {
		return sentence(account.ErrStale.Error())
	}
	if e, ok := errors.AsType[*providerDownError](err); ok {
		return sentence(e.Error())
	}
	if e, ok := errors.AsType[*boardwatch.Error](err); ok {
		return sentence(e.Message)
	}
	return "That did not work."
}

// inputOf is the name of the input that holds a field, where they differ.
func inputOf(field string) string {
	switch field {
	case "digestHour":
		return "hour"
	case "timeZone":
		return "zone"
	default:
		return field
	}
}

// fieldSentence is a fault of a field as a whole sentence: the interface's messages leave out the subject, which is the field.
func fieldSentence(f boardwatch.FieldError) string {
	verb, _, _ := strings.Cut(f.Message, " ")
	switch verb {
	case "must", "is", "has", "does", "contains", "leads", "cannot":
		return sentence(subjectOf(f.Field) + " " + f.Message)
	default:
		return sentence(f.Message)
	}
}

// subjectOf is what people call a field.
func subjectOf(field string) string {
	switch field {
	case "url", "to":
		return "the address"
	case "email":
		return "the e-mail address"
	case "new":
		return "the new password"
	case "companyName":
		return "the company’s name"
	case "digestHour":
		return "the hour"
	case "timeZone":
		return "the time zone"
	case "search":
		return "the search text"
	case "boardId":
		return "the board’s id"
	case "account":
		return "this account"
	default:
		return "the " + field
	}
}

// of are the faults of a field of a form.
func (all faults) of(form, field string) faults {
	var out faults
	for _, f := range all {
		if f.Form == form && f.Field == field {
			out = append(out, f)
		}
	}
	return out
}

// describe are the attributes of an input: what describes it, and whether it is wrong. Whoever comes back to a form begins at
// what was wrong with it.
func describe(all faults, form, field, hint string) template.HTMLAttr {
	var ids []string
	if hint != "" {
		ids = append(ids, hint)
	}
	wrong := all.of(form, field)
	attributes := ""
	if len(wrong) > 0 {
		ids, attributes = append(ids, wrong[0].ID()), ` aria-invalid="true" autofocus`
	}
	if len(ids) > 0 {
		attributes += ` aria-describedby="` + strings.Join(ids, " ") + `"`
	}
	return template.HTMLAttr(attributes) //nolint:gosec // names of forms and fields of our own templates
}
