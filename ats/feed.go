package ats

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"net/http"

	"github.com/boardwatch/boardwatch/internal/foreign"
	"github.com/boardwatch/boardwatch/internal/lazyregexp"
)

// getXML asks for an XML document, a feed for instance, and decodes it into what into points at. Name the root in a field
// XMLName, so that another document is not taken for an empty list, and let fields be texts: one bad number would cost
// the whole document. Give the rows to listed.
func getXML(ctx context.Context, client Doer, address string, into any) error {
	a, err := send(ctx, client, http.MethodGet, address, "application/xml, text/xml, application/rss+xml;q=0.9, */*;q=0.1", nil)
	if err != nil {
		return err
	}
	if a.status != http.StatusOK {
		return a.refusal()
	}
	return decodeXML(a.body, into)
}

// decodeXML decodes a document, already in UTF-8, with the entities of HTML. A character that XML does not allow, or an entity that
// there is not, costs no more than itself.
func decodeXML(document []byte, into any) error {
	document = bytes.TrimSpace(document)
	if len(document) == 0 {
		return didf("returned an empty answer")
	}
	decoder := xml.NewDecoder(bytes.NewReader(foreign.XML(document)))
	decoder.Entity = xml.HTMLEntity
	err := decoder.Decode(into)
	other, isOther := errors.AsType[xml.UnmarshalError](err)
	switch {
	case err == nil:
		return nil
	case isHTML(document):
		return didf("answered with a web page where XML was promised")
	case document[0] != '<':
		return didf("answered with something other than XML")
	case isOther:
		return didf("answered in an unknown form: %s", other)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return didf("returned XML that is cut off (%d bytes)", len(document))
	default:
		return didf("returned XML that is broken or cut off (%d bytes)", len(document))
	}
}

var htmlStart = lazyregexp.New(`(?i)^(?:<\?xml[^>]*>\s*|<!--[\s\S]*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b`)

func isHTML(document []byte) bool { return htmlStart.Match(document) }
