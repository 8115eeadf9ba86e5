package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
)

//go:embed static
var staticFiles embed.FS

// contentType returns the type of a file of ours; the system's own table differs between machines.
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

// assets are the files that pages refer to. Their addresses contain a hash of their content, so that browsers may cache
// them for ever.
type assets struct {
	byAddress map[string]asset
	addresses map[string]string // by name
}

type asset struct {
	kind    string
	content []byte
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
			return fmt.Errorf("asset %s has an unknown type", file)
		}
		name := strings.TrimPrefix(file, "static/")
		sum := sha256.Sum256(content)
		address := "/assets/" + strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:5]) + ext
		a.byAddress[address] = asset{kind, content}
		a.addresses[name] = address
		return nil
	})
	return a, err
}

// address returns the address of an asset.
func (a *assets) address(name string) (string, error) {
	address, ok := a.addresses[name]
	if !ok {
		return "", fmt.Errorf("there is no asset %s", name)
	}
	return address, nil
}

// ServeHTTP answers with an asset that may be cached for ever.
func (a asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Content-Length", strconv.Itoa(len(a.content)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(a.content) // the client may have gone
	}
}
