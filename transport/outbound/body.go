package outbound

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"sync"
)

const (
	leastBuffer  = 4 << 10   // the smallest memory of a body
	firstBuffer  = 64 << 10  // what a body of unknown size starts with
	trustedClaim = 256 << 10 // a Content-Length below this is believed before the bytes are there
	pieceSize    = 256 << 10 // what longer bodies are read in
	keptBuffer   = 1 << 20   // larger buffers are not kept for the next body
	drained      = 32 << 10  // what is read past the end of a compressed body to keep the connection
)

// Body is a response body that is already in memory. The Body of every response of Client.Do is one.
type Body struct {
	rest  []byte
	all   *[]byte
	pools *pools
}

// Bytes is the whole body, regardless of how much was read. It is valid until Close and must not be changed.
func (b *Body) Bytes() []byte {
	if b.all == nil {
		return nil
	}
	return *b.all
}

// Read reads what is left. It never waits.
func (b *Body) Read(p []byte) (int, error) {
	if b.all == nil {
		return 0, http.ErrBodyReadAfterClose
	}
	if len(b.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// WriteTo writes what is left, without a copy.
func (b *Body) WriteTo(w io.Writer) (int64, error) {
	if b.all == nil {
		return 0, http.ErrBodyReadAfterClose
	}
	n, err := w.Write(b.rest)
	b.rest = b.rest[n:]
	return int64(n), err
}

// Close makes the memory available to other bodies. It always succeeds.
func (b *Body) Close() error {
	if b.all != nil {
		b.pools.putBuffer(b.all)
		b.all, b.rest = nil, nil
	}
	return nil
}

// take is the whole body for somebody who keeps it. Then nothing is left.
func (b *Body) take() []byte {
	all := b.Bytes()
	if cap(all) <= keptBuffer {
		all = bytes.Clone(all)
		_ = b.Close()
	}
	b.all, b.rest = nil, nil
	return all
}

// pools keeps what reading bodies needs again and again.
type pools struct {
	buffers [9]sync.Pool // *[]byte of leastBuffer, of twice as much, and so on up to keptBuffer
	pieces  sync.Pool    // *[]byte of pieceSize
	gzips   sync.Pool    // *gzip.Reader
	brotlis sync.Pool    // *brotli.Reader
	zstds   sync.Pool    // *zstd.Decoder
	readers sync.Pool    // *bufio.Reader
}

// buffer is empty memory for that many bytes and one more: the end of a body is found by a read that has room.
func (p *pools) buffer(size int) *[]byte {
	for class := range p.buffers {
		room := leastBuffer << class
		if size >= room {
			continue
		}
		if b, ok := p.buffers[class].Get().(*[]byte); ok {
			*b = (*b)[:0]
			return b
		}
		b := make([]byte, 0, room)
		return &b
	}
	b := make([]byte, 0, size)
	return &b
}

func (p *pools) putBuffer(b *[]byte) {
	for class := range p.buffers {
		if cap(*b) == leastBuffer<<class {
			p.buffers[class].Put(b)
			return // b now belongs to whoever takes it
		}
	}
}

// A body past its limit, as it was sent and as it was decompressed.
var (
	errTooLarge = errors.New("body past its limit")
	errBomb     = errors.New("decompressed body past its limit")
)

// encodingError is a body that is not what its Content-Encoding says.
type encodingError struct{ err error }

func (e *encodingError) Error() string { return "decode body: " + e.err.Error() }
func (e *encodingError) Unwrap() error { return e.err }

// read takes the whole body of a response off the network, decoded and within the limit. The response's header then
// tells of the decoded body.
func (p *pools) read(resp *http.Response, limit int64) (*Body, error) {
	codings := codingsOf(resp.Header)
	if resp.ContentLength > limit && hasBody(resp) {
		return nil, errTooLarge
	}
	size := firstBuffer - 1
	if len(codings) == 0 && resp.ContentLength >= 0 {
		size = int(min(resp.ContentLength, trustedClaim-1))
	}
	buf := p.buffer(size)
	compressed, err := p.decode(buf, resp.Body, codings, limit)
	if err != nil {
		p.putBuffer(buf)
		return nil, err
	}
	if compressed || len(codings) > 0 {
		resp.Header.Del("Content-Encoding")
		resp.Header.Del("Content-Length")
		resp.Uncompressed = true
	}
	if hasBody(resp) {
		resp.ContentLength = int64(len(*buf))
	}
	return &Body{rest: *buf, all: buf, pools: p}, nil
}

// hasBody reports whether the Content-Length of a response is about a body that follows.
func hasBody(resp *http.Response) bool {
	return resp.StatusCode != http.StatusNotModified && (resp.Request == nil || resp.Request.Method != http.MethodHead)
}

// decode reads a body into buf. compressed says whether it was.
func (p *pools) decode(buf *[]byte, body io.Reader, codings []string, limit int64) (compressed bool, err error) {
	g := p.gather(buf, limit)
	defer g.end()
	u := &unpacking{pools: p, wire: wire{Reader: body}}
	defer u.end()
	src, err := u.open(codings, limit)
	if err == nil {
		err = g.from(src)
	}
	if err == nil && len(u.layers) > 0 {
		err = drain(u.layers[0].src)
	}
	if err != nil {
		return false, u.fault(err)
	}
	g.join()
	return len(u.layers) > 0, nil
}

// gathering is a body on its way into buf. What does not fit in there is read in pieces, which are used again, and joined at
// the end: a buffer that grows leaves several times the body to the garbage collector.
type gathering struct {
	pools  *pools
	buf    *[]byte
	pieces []*[]byte
	size   int64
	limit  int64
}

func (p *pools) gather(buf *[]byte, limit int64) *gathering {
	return &gathering{pools: p, buf: buf, size: int64(len(*buf)), limit: limit}
}

// from appends everything that src holds, up to the limit.
func (g *gathering) from(src io.Reader) error {
	at := g.buf
	if n := len(g.pieces); n > 0 {
		at = g.pieces[n-1]
	}
	for {
		if len(*at) == cap(*at) {
			at = g.pools.piece()
			g.pieces = append(g.pieces, at)
		}
		n, err := src.Read((*at)[len(*at):cap(*at)])
		*at = (*at)[:len(*at)+n]
		g.size += int64(n)
		switch {
		case g.size > g.limit:
			return errTooLarge
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// join appends the pieces to buf, which becomes larger for them.
func (g *gathering) join() {
	if len(g.pieces) == 0 {
		return
	}
	first, all := *g.buf, *g.pools.buffer(int(g.size))
	all = append(all, first...)
	for _, b := range g.pieces {
		all = append(all, *b...)
	}
	*g.buf = all
	g.pools.putBuffer(&first)
}

// end gives the pieces back.
func (g *gathering) end() {
	for _, b := range g.pieces {
		g.pools.pieces.Put(b)
	}
	g.pieces = nil
}

func (p *pools) piece() *[]byte {
	if b, ok := p.pieces.Get().(*[]byte); ok {
		*b = (*b)[:0]
		return b
	}
	b := make([]byte, 0, pieceSize)
	return &b
}

// drain reads the little that may follow a compressed body, so that the connection can be used again. A cut there is a
// cut of the body too: the length that was promised did not come.
func drain(src io.Reader) error {
	_, err := io.CopyN(io.Discard, src, drained)
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func (p *pools) reader(src io.Reader) *bufio.Reader {
	if r, ok := p.readers.Get().(*bufio.Reader); ok {
		r.Reset(src)
		return r
	}
	return bufio.NewReader(src)
}

func (p *pools) putReader(r *bufio.Reader) {
	r.Reset(nil) // lets go of the response
	p.readers.Put(r)
}
