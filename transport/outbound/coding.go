package outbound

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

const (
	maxLayers   = 4       // of compression around a body
	maxWindow   = 8 << 20 // of zstd, as browsers have it
	lookedAt    = 512     // bytes at the beginning of a body that tell what it is
	surelyText  = 64      // bytes of text that cannot be compressed data by chance
	escapeByte  = 0x1b    // of ISO-2022-JP
	firstSpaces = "\t\n\f\r"
)

// codingsOf are the names of what a body is encoded with, the outermost last, without those that mean nothing.
func codingsOf(header http.Header) []string {
	var names []string
	for _, value := range header.Values("Content-Encoding") {
		for name := range strings.SplitSeq(strings.ToLower(value), ",") {
			if name = strings.TrimSpace(name); name != "" && name != "identity" {
				names = append(names, name)
			}
		}
	}
	return names
}

// unpacking takes the compression off a body, layer by layer. Servers name codings that they do not use, use some that they do
// not name, and name what is no coding, so the bytes decide wherever they can.
type unpacking struct {
	pools  *pools
	wire   wire
	layers []*layer // the outermost first
	plain  *bufio.Reader
}

// wire is where a body comes from. It remembers how it failed: what else fails is the fault of the bytes.
type wire struct {
	io.Reader

	err error
}

// Read reads on.
func (w *wire) Read(p []byte) (int, error) {
	size, err := w.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		w.err = err
	}
	return size, err
}

// layer is one compression. It gives what is inside, up to the limit.
type layer struct {
	src    *bufio.Reader
	inside io.Reader
	end    func()
	left   int64
}

// Read reads on.
func (l *layer) Read(p []byte) (int, error) {
	n, err := l.inside.Read(p)
	if l.left -= int64(n); l.left < 0 {
		return n, errBomb
	}
	return n, err
}

// open is what is inside of all layers.
func (u *unpacking) open(codings []string, limit int64) (io.Reader, error) {
	in := io.Reader(&u.wire)
	for {
		src := u.pools.reader(in)
		head, err := src.Peek(lookedAt)
		coding := ""
		if n := len(codings) - 1; n >= 0 {
			coding, codings = codings[n], codings[:n]
		}
		var l *layer
		if err == nil || errors.Is(err, io.EOF) {
			l, err = u.pools.layer(src, head, coding)
		}
		if l == nil {
			u.plain = src
			return src, err
		}
		l.left = limit
		if u.layers = append(u.layers, l); len(u.layers) > maxLayers {
			return nil, &encodingError{errors.New("compressed too many times")}
		}
		in = l
	}
}

// layer is the compression of what src gives, which begins with head. It is nil where there is none.
func (p *pools) layer(src *bufio.Reader, head []byte, coding string) (*layer, error) {
	switch {
	case len(head) == 0:
		return nil, nil // an empty body is empty in every coding
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return p.gunzip(src)
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return p.unzstd(src)
	case coding == "", beginsAsText(head):
		return nil, nil
	case coding == "br":
		return p.unbrotli(src)
	case len(head) > 1 && head[0]&0x0f == 8 && (int(head[0])<<8|int(head[1]))%31 == 0:
		zr, err := zlib.NewReader(src)
		if err != nil {
			return nil, err
		}
		return &layer{src: src, inside: zr, end: func() { _ = zr.Close() }}, nil // closing frees memory only
	case coding == "deflate": // which is zlib by the standard and bare DEFLATE by the habit of some servers
		return &layer{src: src, inside: flate.NewReader(src), end: func() {}}, nil
	}
	return nil, &encodingError{errors.New("unexpected Content-Encoding " + strconv.Quote(coding))}
}

// beginsAsText reports whether a body begins like text in some charset: compressed data holds control characters soon.
func beginsAsText(head []byte) bool {
	zeros := bytes.Count(head, []byte{0})
	if utf16 := zeros*4 > len(head) && len(head) >= surelyText; utf16 {
		return true
	}
	for _, c := range head {
		if c < ' ' && strings.IndexByte(firstSpaces, c) < 0 && c != escapeByte {
			return false
		}
	}
	start := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), firstSpaces+" ")
	return len(head) >= surelyText || len(start) == 0 || bytes.IndexByte([]byte("<{["), start[0]) >= 0
}

// members are all parts of a gzip stream. What follows the last is dropped, as browsers do.
type members struct {
	*gzip.Reader

	src *bufio.Reader
}

// Read reads on.
func (m members) Read(p []byte) (int, error) {
	for {
		n, err := m.Reader.Read(p)
		if n > 0 || !errors.Is(err, io.EOF) {
			return n, ignoreEnd(err)
		}
		if magic, err := m.src.Peek(2); err != nil || magic[0] != 0x1f || magic[1] != 0x8b {
			return 0, io.EOF
		}
		if err := m.Reset(m.src); err != nil {
			return 0, err
		}
		m.Multistream(false)
	}
}

// ignoreEnd leaves the end to the next read, which looks for another member.
func ignoreEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func (p *pools) gunzip(src *bufio.Reader) (*layer, error) {
	zr, _ := p.gzips.Get().(*gzip.Reader)
	if zr == nil {
		zr = new(gzip.Reader)
	}
	l := &layer{src: src, inside: members{zr, src}, end: func() { p.gzips.Put(zr) }}
	if err := zr.Reset(src); err != nil {
		l.end()
		return nil, err
	}
	zr.Multistream(false)
	return l, nil
}

func (p *pools) unzstd(src *bufio.Reader) (*layer, error) {
	zr, _ := p.zstds.Get().(*zstd.Decoder)
	if zr == nil {
		var err error
		if zr, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow)); err != nil {
			return nil, err
		}
	}
	l := &layer{src: src, inside: zr, end: func() {
		if zr.Reset(nil) == nil {
			p.zstds.Put(zr)
		}
	}}
	if err := zr.Reset(src); err != nil {
		l.end()
		return nil, err
	}
	return l, nil
}

func (p *pools) unbrotli(src *bufio.Reader) (*layer, error) {
	zr, _ := p.brotlis.Get().(*brotli.Reader)
	if zr == nil {
		zr = new(brotli.Reader)
	}
	l := &layer{src: src, inside: zr, end: func() { p.brotlis.Put(zr) }}
	if err := zr.Reset(src); err != nil {
		l.end()
		return nil, err
	}
	return l, nil
}

// end gives back what unpacking took.
func (u *unpacking) end() {
	for _, l := range u.layers {
		l.end()
		u.pools.putReader(l.src)
	}
	if u.plain != nil {
		u.pools.putReader(u.plain)
	}
}

// fault tells a broken coding from a fault of the network below it.
func (u *unpacking) fault(err error) error {
	_, known := errors.AsType[*encodingError](err)
	switch {
	case u.wire.err != nil:
		return u.wire.err
	case errors.Is(err, errTooLarge) && len(u.layers) > 0:
		return errBomb
	case known, errors.Is(err, errTooLarge), errors.Is(err, errBomb), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return err
	}
	return &encodingError{err}
}
