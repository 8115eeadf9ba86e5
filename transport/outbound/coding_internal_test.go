package outbound

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

func packed(tb testing.TB, text string, w func(io.Writer) io.WriteCloser) []byte {
	tb.Helper()
	var b bytes.Buffer
	zw := w(&b)
	_, err := io.WriteString(zw, text)
	require.NoError(tb, err)
	require.NoError(tb, zw.Close())
	return b.Bytes()
}

func gzipWriter(w io.Writer) io.WriteCloser   { return gzip.NewWriter(w) }
func brotliWriter(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) }
func zstdWriter(w io.Writer) io.WriteCloser {
	zw, _ := zstd.NewWriter(w)
	return zw
}

func TestAnAnswerGrowsNoLargerThanItMay(t *testing.T) {
	t.Parallel()
	const limit = 64 << 10
	zeros := strings.Repeat("\x00", 64*limit)
	for name, body := range map[string][]byte{
		"gzip": packed(t, zeros, gzipWriter), "br": packed(t, zeros, brotliWriter), "zstd": packed(t, zeros, zstdWriter),
		"gzip, gzip":  packed(t, string(packed(t, zeros, gzipWriter)), gzipWriter),
		"many layers": packed(t, string(packed(t, string(packed(t, string(packed(t, string(packed(t, "text", gzipWriter)), gzipWriter)), gzipWriter)), gzipWriter)), gzipWriter),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var p pools
			buf := p.buffer(firstBuffer - 1)
			_, err := p.decode(buf, bytes.NewReader(body), codingsOf(map[string][]string{"Content-Encoding": {name}}), limit)
			require.Error(t, err)
			require.LessOrEqual(t, cap(*buf), 2*limit)
		})
	}
}

func FuzzDecode(f *testing.F) {
	const page = "<!doctype html><title>Jobs</title><h1>Open positions</h1>"
	f.Add(packed(f, page, gzipWriter), "gzip, gzip")
	f.Add(packed(f, page, brotliWriter), "br")
	f.Add(packed(f, page, zstdWriter), "")
	f.Add([]byte(page), "deflate, utf-8")
	f.Add([]byte("\x78\x9c\x00"), "x-gzip")
	f.Fuzz(func(t *testing.T, body []byte, codings string) {
		const limit = 256 << 10
		var p pools
		names := codingsOf(map[string][]string{"Content-Encoding": {codings}})
		buf := p.buffer(leastBuffer - 1)
		compressed, err := p.decode(buf, bytes.NewReader(body), names, limit)
		if err != nil {
			return
		}
		require.LessOrEqual(t, len(*buf), limit)
		if !compressed {
			require.Equal(t, string(body), string(*buf))
		}
	})
}
