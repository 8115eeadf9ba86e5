//go:build unix

package ats_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/zeebo/xxh3"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
)

// BenchmarkCorpusCheck reads the largest recorded board of each of the largest systems as it comes over the wire, packed:
// same unpacks and hashes it, as a check does whose answer is the one known; read makes a reading of it too. Where a system
// has an outline, both are measured for that as well. Headers and connections are not counted.
func BenchmarkCorpusCheck(b *testing.B) {
	for _, system := range largest {
		a := adapter(system)
		l, found := largestLook(b, a)
		if !found {
			continue
		}
		p := l.playback(b, a)
		if system == "greenhouse" {
			benchPacked(b, system+"/outline", p, func(client ats.Doer) (boardwatch.Reading, error) {
				return a.(ats.Outliner).Outline(b.Context(), client, p.board) //nolint:forcetypeassert // it is one
			})
			p.pages[0].body = described(b, p.pages[0].body)
		}
		benchPacked(b, system, p, func(client ats.Doer) (boardwatch.Reading, error) { return ats.Read(b.Context(), a, client, p.board) })
	}
}

// largestLook is the recording with the most roles that is a whole board.
func largestLook(b *testing.B, a ats.Adapter) (largest look, found bool) {
	b.Helper()
	most := 0
	for _, l := range looks(b) {
		if l.system != a.Name() || stages[l.name].why != "" {
			continue
		}
		if r, asked := l.read(b, a); asked && r.Health == boardwatch.HealthOK && len(r.Postings) > most {
			largest, most, found = l, len(r.Postings), true
		}
	}
	return largest, found
}

// described is a recorded list of Greenhouse with what "content=true" adds to each role: lists were recorded without it, but
// some roles were recorded with it.
func described(b *testing.B, body []byte) []byte {
	b.Helper()
	var document map[string]any
	require.NoError(b, json.Unmarshal(body, &document))
	var roles []any
	for _, file := range []string{"4040346007", "4426096007", "4426707007"} {
		var role any
		require.NoError(b, json.Unmarshal(corpusFile(b, "greenhouse/codepath.job-"+file+".json"), &role))
		roles = append(roles, role)
	}
	for i, row := range list(at(document, "jobs")) {
		for _, part := range []string{"content", "departments", "offices"} {
			row.(map[string]any)[part] = at(roles[i%len(roles)], part) //nolint:forcetypeassert // rows are objects
		}
	}
	return must(json.Marshal(document))
}

// benchPacked measures the two kinds of check with a recording.
func benchPacked(b *testing.B, name string, p *playback, read func(ats.Doer) (boardwatch.Reading, error)) {
	b.Helper()
	plain, sent, packed := 0, 0, make([][]byte, len(p.pages))
	for i, page := range p.pages {
		var w bytes.Buffer
		zw := gzip.NewWriter(&w)
		_ = must(zw.Write(page.body))
		require.NoError(b, zw.Close())
		packed[i] = w.Bytes()
		plain, sent = plain+len(page.body), sent+w.Len()
	}
	unpack := new(gzip.Reader)
	unpacked := func(i int) []byte {
		require.NoError(b, unpack.Reset(bytes.NewReader(packed[i])))
		return must(io.ReadAll(unpack))
	}
	if len(packed) == 1 { // what has several pages is always read
		b.Run(name+"/same", func(b *testing.B) {
			before := computed(b)
			for b.Loop() {
				xxh3.Hash128(unpacked(0))
			}
			b.ReportMetric((computed(b)-before).Seconds()*1e6/float64(b.N), "cpu-us/op")
		})
	}
	b.Run(name+"/read", func(b *testing.B) {
		roles, before := 0, computed(b)
		for b.Loop() {
			again := &playback{stage: p.stage, given: make(map[string]answered)}
			for i, page := range p.pages {
				again.pages = append(again.pages, answered{page.exchange, unpacked(i)})
			}
			reading, err := read(again)
			require.NoError(b, err)
			roles = len(reading.Normalize().Postings)
		}
		b.ReportMetric((computed(b)-before).Seconds()*1e6/float64(b.N), "cpu-us/op")
		b.ReportMetric(float64(plain), "plain-B")
		b.ReportMetric(float64(sent), "packed-B")
		b.ReportMetric(float64(roles), "roles")
	})
}

// computed is the time that this process has computed.
func computed(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
