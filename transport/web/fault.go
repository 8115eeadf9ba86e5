package web

import (
	"errors"
	"html/template"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// fault is a sentence that says what is wrong with a form.
type fault struct {
	Form  string // the path that the form is sent to
	Field string // the name of its field; empty if the fault concerns the whole form
	Text  string
}

// String returns the sentence.
func (f fault) String() string { return f.Text }

// ID returns the id of the sentence on the page.
func (f fault) ID() string { return "wrong" + strings.ReplaceAll(f.Form, "/", "-") + "-" + f.Field }

// faults lists what is wrong with a form.
type faults []fault

// faultsOf returns what an error says about a form.
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

// sentences says what is wrong with a request, for a person.
func sentences(err error) []string {
	var out []string
	for _, f := range faultsOf("", err) {
		out = append(out, f.Text)
	}
	return out
}

// fieldsOf returns the fields that an error names.
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

// inputOf returns the name of the input for a field.
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

// fieldSentence turns the error of a field into a whole sentence: the messages leave out the subject, which is the
// field.
func fieldSentence(f boardwatch.FieldError) string {
	verb, _, _ := strings.Cut(f.Message, " ")
	switch verb {
	case "must", "is", "has", "does", "contains", "leads", "cannot":
		return sentence(subjectOf(f.Field) + " " + f.Message)
	default:
		return sentence(f.Message)
	}
}

// subjectOf returns what people call a field.
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

// of returns the faults of a form's field.
func (all faults) of(form, field string) faults {
	var out faults
	for _, f := range all {
		if f.Form == form && f.Field == field {
			out = append(out, f)
		}
	}
	return out
}

// describe returns the attributes of an input: what describes it, and whether it is wrong. The first wrong input gets
// the focus.
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
