package script

import (
	"cmp"
	"maps"
	"strings"
)

// function is a function of the page, kept as text until it is called.
type function struct {
	params []string
	body   int  // where its body begins
	brace  bool // the body is a block, not an expression
}

// group evaluates round brackets: an expression, a function called inside them, or the parameters of an arrow function.
func (s *Script) group() (any, error) {
	start := s.at
	if err := s.enter(); err != nil {
		return nil, err
	}
	defer func() { s.depth-- }()
	if params, ok := s.arrow(); ok && !s.strict {
		f := function{params: params}
		f.brace = s.peek() == '{'
		f.body = s.at
		return f, s.skipBody()
	}
	s.at = start + 1
	var v any
	for {
		var err error
		if v, err = s.expression(); err != nil {
			return nil, err
		}
		if s.take(",") {
			continue
		}
		if !s.take(")") {
			return nil, errNoValue
		}
		return v, nil
	}
}

// arrow reads "(a,b)=>". It reports false when something else stands there.
func (s *Script) arrow() (params []string, ok bool) {
	s.at++ // (
	for {
		name := s.name()
		if name != "" {
			params = append(params, name)
		}
		switch {
		case len(params) > maxParams:
			return nil, false
		case s.take(","):
		case s.take(")"):
			return params, s.take("=>")
		default:
			return nil, false
		}
	}
}

// function reads a function and skips its body.
func (s *Script) function() (any, error) {
	if s.word("class") {
		for s.peek() != '{' && s.at < len(s.src) {
			if s.at++; s.step() != nil {
				return nil, errTooMuch
			}
		}
		return nil, s.skipBrackets()
	}
	if s.word("async") && s.peek() == '(' {
		return s.group()
	}
	if !s.word("function") {
		return nil, errNoValue
	}
	s.take("*")
	s.name()
	if !s.take("(") {
		return nil, errNoValue
	}
	s.at--
	f := function{brace: true}
	open := s.at
	if err := s.skipBrackets(); err != nil {
		return nil, err
	}
	list := s.src[open+1 : s.at-1]
	if strings.Count(list, ",") < maxParams {
		for param := range strings.SplitSeq(list, ",") {
			f.params = append(f.params, strings.TrimSpace(param))
		}
	}
	if s.peek() != '{' {
		return nil, errNoValue
	}
	f.body = s.at
	return f, s.skipBrackets()
}

// call evaluates the arguments and then the call.
func (s *Script) call(callee any, name string) (any, error) {
	s.at++ // (
	if err := s.enter(); err != nil || s.strict {
		return nil, cmp.Or(err, errNoValue)
	}
	defer func() { s.depth-- }()
	var args []any
	for !s.take(")") {
		if s.at >= len(s.src) {
			return nil, errNoValue
		}
		v, err := s.expression()
		if err != nil {
			return nil, err
		}
		args = append(args, v)
		if !s.take(",") && s.peek() != ')' {
			return nil, errNoValue
		}
	}
	if f, ok := callee.(function); ok {
		return s.run(f, args)
	}
	return s.builtin(name, args)
}

// builtin is the result of calling a function that every browser has; nil for any other.
func (s *Script) builtin(name string, args []any) (any, error) {
	if len(args) == 0 {
		return nil, nil //nolint:nilnil // undefined
	}
	text, isText := args[0].(string)
	switch {
	case name == "JSON.parse" && isText:
		if s.steps -= len(text) / 4; s.steps < 0 {
			return nil, errTooMuch
		}
		v, err := decodeJSON(text)
		if err != nil {
			return nil, errNoValue
		}
		return v, nil
	case (name == "decodeURIComponent" || name == "decodeURI" || name == "unescape") && isText:
		return decodeURI(text), nil
	case name == "Date", name == "String", name == "Object.freeze", name == "Object.assign", name == "Set", name == "Number", name == "Boolean", name == "URL":
		return args[0], nil
	case name == "Map":
		return entries(args[0]), nil
	case name == "Array":
		if len(args) > 1 {
			return args, nil
		}
		return []any{}, nil
	}
	return nil, nil //nolint:nilnil // undefined
}

// entries makes an object of a list of pairs.
func entries(v any) any {
	o := make(map[string]any)
	list, _ := v.([]any)
	for _, item := range list {
		if p, ok := item.([]any); ok && len(p) == 2 {
			o[Key(p[0])] = p[1]
		}
	}
	return o
}

// run evaluates a function called once with arguments: assignments, then what it returns.
func (s *Script) run(f function, args []any) (any, error) {
	end, outer := s.at, s.bound
	s.bound = make(map[string]any, len(outer)+len(f.params))
	maps.Copy(s.bound, outer)
	if s.steps -= len(outer) + len(f.params); s.steps < 0 {
		return nil, errTooMuch
	}
	for i, name := range f.params {
		if i < len(args) {
			s.bound[name] = args[i]
		} else {
			s.bound[name] = nil
		}
	}
	s.at = f.body
	var v any
	var err error
	if f.brace {
		s.at++
		v, err = s.statements()
	} else {
		v, err = s.expression()
	}
	s.at, s.bound = end, outer
	return v, err
}

// statements evaluates a block up to its return.
func (s *Script) statements() (any, error) {
	for {
		if err := s.step(); err != nil {
			return nil, err
		}
		switch {
		case s.take(";"):
		case s.peek() == '}' || s.peek() == 0:
			return nil, nil //nolint:nilnil // undefined
		case s.word("return"):
			return s.expression()
		case s.word("var"), s.word("let"), s.word("const"):
			if err := s.declare(); err != nil {
				return nil, err
			}
		default:
			if err := s.assign(); err != nil {
				return nil, err
			}
		}
	}
}

// declare evaluates "a=1,b=2".
func (s *Script) declare() error {
	for {
		name := s.name()
		if name == "" {
			return errNoValue
		}
		s.bound[name] = nil
		if s.take("=") {
			v, err := s.expression()
			if err != nil {
				return err
			}
			s.bound[name] = v
		}
		if !s.take(",") {
			return nil
		}
	}
}

// assign evaluates "a.b.c=1" or a call without effect.
func (s *Script) assign() error {
	if c := s.peek(); c == '"' || c == '\'' {
		_, err := s.text() // "use strict"
		return err
	}
	name := s.name()
	if name == "" {
		return errNoValue
	}
	target, key := s.bound[name], ""
	for steps := 0; ; steps++ {
		if steps > 0 && (s.peek() == '.' || s.peek() == '[') {
			target = Member(target, key)
		}
		switch s.peek() {
		case '.':
			s.at++
			key = s.name()
		case '[':
			s.at++
			v, err := s.expression()
			if err != nil || !s.take("]") {
				return errNoValue
			}
			key = Key(v)
		case '=':
			s.at++
			v, err := s.expression()
			if err != nil {
				return err
			}
			s.put(name, target, key, v, steps > 0)
			s.take(",")
			return nil
		case '(':
			_, err := s.call(nil, "")
			s.take(",")
			return err
		default:
			return errNoValue
		}
		if err := s.step(); err != nil {
			return err
		}
	}
}

// put stores a value under a name, or in a member of an object or list.
func (s *Script) put(name string, target any, key string, v any, member bool) {
	if !member {
		s.bound[name] = v
		return
	}
	switch t := target.(type) {
	case map[string]any:
		t[key] = v
	case []any:
		var n int
		for _, c := range key {
			if c < '0' || c > '9' || n > len(t) {
				return
			}
			n = n*10 + int(c-'0')
		}
		if n < len(t) {
			t[n] = v
		}
	}
}

// skipBody skips the body of a function: a block, or an expression.
func (s *Script) skipBody() error {
	if s.peek() == '{' {
		return s.skipBrackets()
	}
	_, err := s.expression()
	return err
}

// skipBrackets skips from an opening bracket to after the one that closes it.
func (s *Script) skipBrackets() error {
	open := 0
	for s.at < len(s.src) {
		if s.space(); s.at >= len(s.src) {
			break
		}
		if err := s.step(); err != nil {
			return err
		}
		switch c := s.src[s.at]; c {
		case '(', '[', '{':
			open++
		case ')', ']', '}':
			open--
		case '"', '\'', '`':
			if err := s.skipText(); err != nil {
				return err
			}
			continue
		case '/':
			if s.opensPattern() {
				if err := s.pattern(); err != nil {
					return err
				}
				continue
			}
		}
		s.at++
		if open == 0 {
			return nil
		}
	}
	return errNoValue
}

func (s *Script) skipText() error {
	quote := s.src[s.at]
	for i := s.at + 1; i < len(s.src); i++ {
		switch s.src[i] {
		case '\\':
			i++
		case quote:
			s.at = i + 1
			return nil
		}
	}
	return errNoValue
}

// opensPattern reports whether a slash begins a regular expression rather than a division.
func (s *Script) opensPattern() bool {
	for i := s.at - 1; i >= 0; i-- {
		switch c := s.src[i]; c {
		case ' ', '\n', '\t', '\r':
			continue
		case '(', ',', '=', ':', '[', '!', '&', '|', '?', '{', '}', ';':
			return true
		default:
			return false
		}
	}
	return true
}

// pattern skips a regular expression.
func (s *Script) pattern() error {
	class := false
	for i := s.at + 1; i < len(s.src); i++ {
		switch c := s.src[i]; {
		case c == '\\':
			i++
		case c == '\n':
			return errNoValue
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			s.at = i + 1
			s.name() // flags
			return nil
		}
	}
	return errNoValue
}
