package oauth

import (
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// metadata are what a client says about itself: the members of a JSON object, by their exact names.
type metadata map[string]json.RawMessage

func readMetadata(body []byte) (metadata, error) {
	var m metadata
	if !utf8.Valid(body) || json.Unmarshal(body, &m) != nil || m == nil {
		return nil, errors.New("it is not a JSON object")
	}
	return m, nil
}

// text is a member that is a string; empty when there is none.
func (m metadata) text(name string) (string, error) {
	raw, ok := m[name]
	if !ok || string(raw) == "null" {
		return "", nil
	}
	var s string
	if json.Unmarshal(raw, &s) != nil || len(s) > longestText {
		return "", &fault{invalidMetadata, name + " must be a string of at most 2000 bytes"}
	}
	return s, nil
}

// list is a member that is a list of strings; nil when there is none.
func (m metadata) list(name string) ([]string, error) {
	raw, ok := m[name]
	if !ok || string(raw) == "null" {
		return nil, nil
	}
	var l []string
	if json.Unmarshal(raw, &l) != nil || len(l) > 100 {
		return nil, &fault{invalidMetadata, name + " must be a list of strings"}
	}
	return l, nil
}
