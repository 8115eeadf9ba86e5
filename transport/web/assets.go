package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/transport"
)

//go:embed static
var staticFiles embed.FS

// contentType is that of a file we have; the system's own table may differ from machine to machine.
func contentType(ext string) (string, bool) {
	switch ext {
	case ".css":
		return "text/css; charset=utf-8", true
	case ".js":
		return "text/javascript; charset=utf-8", true
	case ".svg":
		return "image/svg+xml", true
	default:
		return "", false
	}
}

// assets are the files that pages refer to. Their addresses hold a hash of their content, so that browsers may keep them
// for ever.
type assets struct {
	byAddress map[string]asset
	addresses map[string]string // by name
}

type asset struct {
	kind    string
	plain   []byte
	gzipped []byte
}

func loadAssets() (*assets, error) {
	a := &assets{byAddress: map[string]asset{}, addresses: map[string]string{}}
	err := fs.WalkDir(staticFiles, "static", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := staticFiles.ReadFile(file)
		if err != nil {
			return err
		}
		ext := path.Ext(file)
		kind, ok := contentType(ext)
		if !ok {
			return fmt.Errorf("asset %s is of no known kind", file)
		}
		name := strings.TrimPrefix(file, "static/")
		sum := sha256.Sum256(content)
		address := "/assets/" + strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:5]) + ext
		a.byAddress[address] = asset{kind, content, compress(content)}
		a.addresses[name] = address
		return nil
	})
	return a, err
}

func compress(content []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		panic(err) // the level is a constant
	}
	_, _ = w.Write(content) // into memory
	_ = w.Close()
	return b.Bytes()
}

// address is where a page finds an asset.
func (a *assets) address(name string) (string, error) {
	address, ok := a.addresses[name]
	if !ok {
		return "", fmt.Errorf("there is no asset %s", name)
	}
	return address, nil
}

// ServeHTTP answers with an asset, for ever.
func (a asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Vary", "Accept-Encoding")
	body := a.plain
	if transport.TakesGzip(r.Header) {
		h.Set("Content-Encoding", "gzip")
		body = a.gzipped
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // a client that has gone is its own affair
	}
}
