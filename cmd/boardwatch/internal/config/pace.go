package config

import (
	"time"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch/pace"
)

// paceSettings are the paces of hosted systems. Systems of whose pace nothing is known have no default, and are not listed.
func paceSettings() []Setting {
	var table []Setting
	for _, a := range ats.All() {
		about := aboutOf(a)
		s := Setting{
			Key:   "http.pace." + a.Name(),
			field: func(c *Config) any { return c.HTTP.paceOf(a.Name()) },
			check: func(c Config) error { return positive(*c.HTTP.paceOf(a.Name())) },
			Doc:   "Time between the beginnings of two requests to a host of " + about.Name + ". [Why](ats.md#" + a.Name() + ").",
		}
		if about.Pace.Every > 0 {
			s.Default = ShortDuration(about.Pace.Every)
		} else {
			s.unlisted = true
		}
		table = append(table, s)
	}
	return table
}

// paceOf is where the pace of a system is kept.
func (h *HTTP) paceOf(system string) *time.Duration {
	if h.Pace == nil {
		h.Pace = make(map[string]*time.Duration)
	}
	if h.Pace[system] == nil {
		h.Pace[system] = new(time.Duration)
	}
	return h.Pace[system]
}

// noPause is from where on downwards an operator wants no pauses at all: tests and demonstrations, on hosts of their own.
const noPause = 10 * time.Millisecond

// Paces are the paces of the hosted systems that have one. With an http.pause of less than noPause, only paces that were
// changed count.
func (h HTTP) Paces() map[string]pace.Pace {
	paces := make(map[string]pace.Pace)
	for _, a := range ats.All() {
		known, every := aboutOf(a).Pace, h.Pace[a.Name()]
		if every == nil || *every <= 0 || h.Pause < noPause && *every == known.Every {
			continue
		}
		paces[a.Name()] = pace.Pace{Every: *every, AtOnce: atOnce(known, *every)}
	}
	return paces
}

// atOnce is how many requests may be under way at the operator's pace: more than usual, if that is faster than usual.
func atOnce(known ats.Pace, every time.Duration) int {
	usual, most := known.Every, max(1, known.AtOnce)
	if usual == 0 {
		usual = time.Second
	}
	if every >= usual {
		return most
	}
	return int((time.Duration(most)*usual + every - 1) / every)
}

func aboutOf(a ats.Adapter) ats.About {
	if d, ok := a.(ats.Described); ok {
		return d.About()
	}
	return ats.About{Name: a.Name()}
}
