package outbound

import (
	"bytes"
	"encoding/json"
	"net/url"
	"reflect"
	"slices"
)

// match is the recording that answers a request best, or nil. All candidates are of the request's place.
func match(candidates []*recording, u *url.URL, body []byte) *recording {
	var exact []*recording
	for _, r := range candidates {
		if r.address == withoutFragment(u) {
			exact = append(exact, r)
		}
	}
	if best := byBody(exact, body); best != nil {
		return best
	}
	return byBody(byQuery(candidates, u.Query()), body)
}

// byQuery are the candidates that agree with the query, the best first.
func byQuery(candidates []*recording, query url.Values) []*recording {
	type ranked struct {
		*recording
		equal, extra int
	}
	var fitting []ranked
	for _, r := range candidates {
		if equal, extra, ok := compareQueries(query, r.query); ok {
			fitting = append(fitting, ranked{recording: r, equal: equal, extra: extra})
		}
	}
	slices.SortStableFunc(fitting, func(a, b ranked) int {
		if a.equal != b.equal {
			return b.equal - a.equal
		}
		return a.extra - b.extra
	})
	best := make([]*recording, len(fitting))
	for i, f := range fitting {
		best[i] = f.recording
	}
	return best
}

// compareQueries counts equal parameters and those that only one side has; not ok when one differs.
func compareQueries(a, b url.Values) (equal, extra int, ok bool) {
	for name, values := range a {
		others, both := b[name]
		switch {
		case !both:
			extra++
		case !slices.Equal(values, others):
			return 0, 0, false
		default:
			equal++
		}
	}
	return equal, extra + len(b) - equal, true
}

// byBody is the first of the candidates whose body is closest to the request's. A single candidate need not agree:
// nothing was recorded that its body would have to be told from.
func byBody(candidates []*recording, body []byte) *recording {
	if len(candidates) == 1 {
		return candidates[0]
	}
	var best *recording
	closest := 0
	for _, r := range candidates {
		if c := closeness(body, r.body); c > closest {
			best, closest = r, c
		}
	}
	return best
}

// closeness is 3 for equal bytes, 2 for equal JSON, 1 for JSON that contradicts itself nowhere, else 0.
func closeness(a, b []byte) int {
	if bytes.Equal(a, b) {
		return 3
	}
	var left, right any
	if json.Unmarshal(a, &left) != nil || json.Unmarshal(b, &right) != nil {
		return 0
	}
	switch {
	case reflect.DeepEqual(left, right):
		return 2
	case compatible(left, right):
		return 1
	}
	return 0
}

// compatible reports whether two JSON values differ only by members that one of them does not have.
func compatible(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		other, ok := b.(map[string]any)
		if !ok {
			return false
		}
		for name, value := range a {
			if there, both := other[name]; both && !compatible(value, there) {
				return false
			}
		}
		return true
	case []any:
		other, ok := b.([]any)
		return ok && slices.EqualFunc(a, other, compatible)
	default:
		return reflect.DeepEqual(a, b)
	}
}
