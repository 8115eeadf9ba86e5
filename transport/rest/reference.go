package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// reference is the description of the interface as the page at /docs shows it.
type reference struct {
	Title, Version string
	Intro          [][]run // paragraphs
	BaseURL        string
	Operations     []operationView
	Deliveries     []operationView // what webhooks receive
	Schemas        []schemaView
}

type operationView struct {
	ID, Method, Path, Summary string
	Text                      [][]run
	Parameters                []fieldView
	Body                      string // the name of the schema; empty: no body
	Answers                   []answerView
	Curl                      string
}

type answerView struct {
	Status, Schema string
	Text           []run
	Examples       []string
}

type schemaView struct {
	Name   string
	Text   []run
	Fields []fieldView
}

// fieldView is a parameter or a field of an object.
type fieldView struct {
	Name, Type, Schema, Bounds string
	Text                       []run
	Required                   bool
}

// run is a stretch of text, or of code.
type run struct {
	Text string
	Code bool
}

// The parts of an OpenAPI document that the page shows.
type (
	openAPI struct {
		Info struct {
			Title, Version, Description string
		}
		Paths      ordered[ordered[documented]]
		Webhooks   ordered[ordered[documented]]
		Components struct {
			Schemas   ordered[schema]
			Responses map[string]response
		}
	}
	documented struct {
		OperationID, Summary, Description string
		Parameters                        []parameter
		RequestBody                       struct{ Content map[string]media }
		Responses                         map[string]response
	}
	parameter struct {
		Name, In, Description string
		Required              bool
		Schema                schema
	}
	response struct {
		Ref         string `json:"$ref"`
		Description string
		Content     map[string]media
	}
	media struct {
		Schema   schema
		Examples ordered[struct{ Value json.RawMessage }]
	}
	schema struct {
		Ref                  string `json:"$ref"`
		Type                 any    // a name, or several
		Format, Description  string
		Enum                 []string
		Const                any
		Default              json.RawMessage
		Pattern              string
		Minimum, Maximum     *json.Number
		MinLength, MaxLength *json.Number
		Items                *schema
		AnyOf                []schema
		Required             []string
		Properties           ordered[schema]
	}
)

// ordered is a JSON object that keeps the order of its members.
type ordered[T any] struct {
	Names  []string
	Values map[string]T
}

// UnmarshalJSON reads the object.
func (o *ordered[T]) UnmarshalJSON(data []byte) error {
	if err := json.Unmarshal(data, &o.Values); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	_, err := d.Token() // the opening brace
	for err == nil && d.More() {
		var name json.Token
		if name, err = d.Token(); err == nil {
			o.Names = append(o.Names, fmt.Sprint(name))
			var skipped json.RawMessage
			err = d.Decode(&skipped)
		}
	}
	return err
}

// newReference reads a document, which is part of the program.
func newReference(document []byte, baseURL string) reference {
	var doc openAPI
	if err := json.Unmarshal(document, &doc); err != nil {
		panic(err)
	}
	r := reference{Title: doc.Info.Title, Version: doc.Info.Version, Intro: paragraphs(doc.Info.Description), BaseURL: baseURL}
	for _, path := range doc.Paths.Names {
		methods := doc.Paths.Values[path]
		for _, method := range methods.Names {
			r.Operations = append(r.Operations, doc.operationView(baseURL, path, method, methods.Values[method]))
		}
	}
	for _, event := range doc.Webhooks.Names {
		v := doc.operationView("", event, http.MethodPost, doc.Webhooks.Values[event].Values["post"])
		v.Curl = ""
		r.Deliveries = append(r.Deliveries, v)
	}
	for _, name := range doc.Components.Schemas.Names {
		s := doc.Components.Schemas.Values[name]
		r.Schemas = append(r.Schemas, schemaView{Name: name, Text: runs(s.Description), Fields: fields("", s)})
	}
	return r
}

func (d openAPI) operationView(baseURL, path, method string, o documented) operationView {
	v := operationView{
		ID: o.OperationID, Method: strings.ToUpper(method), Path: path, Summary: o.Summary, Text: paragraphs(o.Description),
	}
	for _, p := range o.Parameters {
		f := field(p.Name, p.Schema, p.Required)
		f.Text = runs(p.Description)
		v.Parameters = append(v.Parameters, f)
	}
	body := o.RequestBody.Content["application/json"]
	v.Body = refName(body.Schema.Ref)
	v.Curl = curl(baseURL, v, body)
	for _, status := range slices.Sorted(maps.Keys(o.Responses)) {
		v.Answers = append(v.Answers, d.answerView(status, o.Responses[status]))
	}
	return v
}

func (d openAPI) answerView(status string, r response) answerView {
	if r.Ref != "" {
		r = d.Components.Responses[refName(r.Ref)]
	}
	content := r.Content["application/json"]
	v := answerView{Status: status, Text: runs(r.Description), Schema: refName(content.Schema.Ref)}
	for _, name := range content.Examples.Names {
		v.Examples = append(v.Examples, pretty(content.Examples.Values[name].Value))
	}
	return v
}

// fields are the members of an object and of the objects in it, by dotted names.
func fields(prefix string, s schema) []fieldView {
	var out []fieldView
	for _, name := range s.Properties.Names {
		member := s.Properties.Values[name]
		if len(member.Properties.Names) > 0 {
			out = append(out, fields(prefix+name+".", member)...)
			continue
		}
		out = append(out, field(prefix+name, member, slices.Contains(s.Required, name)))
	}
	return out
}

func field(name string, s schema, required bool) fieldView {
	f := fieldView{Name: name, Text: runs(s.Description), Required: required, Type: typeOf(s), Schema: refName(s.Ref), Bounds: bounds(s)}
	if s.Items != nil {
		f.Type, f.Schema = "array of "+typeOf(*s.Items), refName(s.Items.Ref)
	}
	if len(s.AnyOf) > 0 {
		f.Type, f.Schema = alternatives(s.AnyOf)
	}
	return f
}

// alternatives are the types of a value that may be of several, and the schema among them, which the page shows last.
func alternatives(of []schema) (types, name string) {
	var words []string
	for _, s := range of {
		if s.Ref != "" {
			name = refName(s.Ref)
			continue
		}
		words = append(words, typeOf(s))
	}
	types = strings.Join(words, " or ")
	if name != "" {
		types += " or"
	}
	return types, name
}

func typeOf(s schema) string {
	var words []string
	switch t := s.Type.(type) {
	case string:
		words = append(words, t)
	case []any:
		for _, name := range t {
			words = append(words, fmt.Sprint(name))
		}
	}
	if len(words) > 0 && s.Format != "" {
		words[0] += " (" + s.Format + ")"
	}
	return strings.Join(words, " or ")
}

// bounds are what a value must keep to.
func bounds(s schema) string {
	var out []string
	if len(s.Enum) > 0 {
		out = append(out, strings.Join(s.Enum, ", "))
	}
	if s.Const != nil {
		out = append(out, "always "+fmt.Sprint(s.Const))
	}
	out = append(out, between(s.Minimum, s.Maximum, ""), between(s.MinLength, s.MaxLength, " characters"))
	if s.Pattern != "" {
		out = append(out, s.Pattern)
	}
	if len(s.Default) > 0 {
		out = append(out, "default "+strings.Trim(string(s.Default), `"`))
	}
	return strings.Join(slices.DeleteFunc(out, func(part string) bool { return part == "" }), "; ")
}

func between(least, most *json.Number, unit string) string {
	switch {
	case least == nil && most == nil:
		return ""
	case least == nil:
		return "at most " + most.String() + unit
	case most == nil:
		return "at least " + least.String() + unit
	case *least == *most:
		return least.String() + unit
	default:
		return least.String() + " to " + most.String() + unit
	}
}

// curl is a command line that makes the request.
func curl(baseURL string, v operationView, body media) string {
	secret := "$BOARDWATCH_KEY"
	if v.Path == "/mcp" { // keys are refused there
		secret = "$BOARDWATCH_TOKEN"
	}
	lines := []string{"curl -H \"Authorization: Bearer " + secret + "\""}
	if v.Method != http.MethodGet {
		lines[0] += " -X " + v.Method
	}
	for _, name := range body.Examples.Names {
		var compact bytes.Buffer
		if err := json.Compact(&compact, body.Examples.Values[name].Value); err != nil {
			panic(err) // a programmer's mistake: it is part of the program
		}
		lines = append(lines, `  -H "Content-Type: application/json" -d '`+compact.String()+`'`)
	}
	return strings.Join(append(lines, "  "+baseURL+strings.ReplaceAll(v.Path, "{id}", "$BOARD_ID")), " \\\n")
}

func paragraphs(s string) [][]run {
	var out [][]run
	for p := range strings.SplitSeq(s, "\n\n") {
		out = append(out, runs(p))
	}
	return out
}

// runs takes a text with code between backticks apart.
func runs(s string) []run {
	var out []run
	for i, part := range strings.Split(s, "`") {
		if part != "" {
			out = append(out, run{Text: part, Code: i%2 == 1})
		}
	}
	return out
}

// refName is the last part of a reference.
func refName(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

func pretty(raw json.RawMessage) string {
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil {
		panic(err) // a programmer's mistake: it is part of the program
	}
	return out.String()
}
