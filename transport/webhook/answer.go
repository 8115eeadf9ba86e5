package webhook

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/transport/outbound"
)

const (
	// mostRead is how much of an answer is read, so that its connection can serve again; a longer one is cut off.
	mostRead = 64 << 10
	// mostKept is how much of an answer is kept.
	mostKept = 1 << 10
)

// buffers are lent to whoever reads an answer.
var buffers = sync.Pool{New: func() any { return new([4 << 10]byte) }} //nolint:gochecknoglobals // holds nothing that lasts

// read takes an answer's body in, up to mostRead, and returns its first bytes. What comes of it does not matter: the
// status says whether the delivery was taken.
func read(body io.Reader) (kept []byte) {
	buffer := buffers.Get().(*[4 << 10]byte) //nolint:forcetypeassert // nothing else is in the pool
	defer buffers.Put(buffer)
	for total := 0; total < mostRead; {
		n, err := body.Read(buffer[:])
		kept = append(kept, buffer[:min(n, mostKept-len(kept))]...)
		if total += n; err != nil {
			break
		}
	}
	return kept
}

// told is what a receiver that did not take the delivery said, in one line of at most mostKept bytes.
func told(code int, body []byte) string {
	text := "answered " + strconv.Itoa(code)
	if name := http.StatusText(code); name != "" {
		text += " " + name
	}
	if code >= 300 && code <= 399 {
		return text + "; redirects are not followed"
	}
	if said := line(body); said != "" {
		text += ": " + said
	}
	if len(text) > mostKept {
		text = strings.ToValidUTF8(text[:mostKept], "")
	}
	return text
}

// line is foreign text as one line of printable characters.
func line(text []byte) string {
	words := strings.FieldsFunc(strings.ToValidUTF8(string(text), ""), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	})
	return strings.Join(words, " ")
}

// explain says why there was no answer, in words for the webhook's owner. Of the address it shows no more than the host:
// the rest may be a secret.
func explain(outer, inner context.Context, u *url.URL, err error) error {
	return errors.New(outbound.Explain(outer, inner, u.Hostname(), err).Error())
}

// refusal is why an address is not asked at all.
func refusal(err error) error {
	if e, ok := errors.AsType[*boardwatch.Error](err); ok {
		return errors.New("the address is refused: " + e.Message)
	}
	return errors.New("the address is refused")
}
