package track

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// outline is an entry of OPML, the format in which feed readers exchange their lists.
type outline struct {
	Type    string `xml:"type,attr"`
	Text    string `xml:"text,attr"`
	Title   string `xml:"title,attr"`
	XMLURL  string `xml:"xmlUrl,attr"`
	HTMLURL string `xml:"htmlUrl,attr"`
}

type opml struct {
	XMLName  xml.Name  `xml:"opml"`
	Version  string    `xml:"version,attr"`
	Title    string    `xml:"head>title"`
	Outlines []outline `xml:"body>outline"`
}

// WriteOPML writes boards as the feeds of their changes. feed returns the address of a board's feed.
func WriteOPML(w io.Writer, boards []boardwatch.BoardView, feed func(boardID string) string) error {
	list := opml{Version: "2.0", Title: "Boards of boardwatch"}
	for _, b := range boards {
		name := b.Company
		if u, err := url.Parse(b.CareersURL); name == "" && err == nil {
			name = u.Host
		}
		list.Outlines = append(list.Outlines, outline{Type: "rss", Text: name, Title: name, XMLURL: feed(b.ID), HTMLURL: b.CareersURL})
	}
	text, err := xml.MarshalIndent(list, "", "  ")
	if err != nil {
		return fmt.Errorf("write OPML: %w", err)
	}
	_, err = w.Write(append(append([]byte(xml.Header), text...), '\n'))
	return err
}

// readOPML reads the entries with an address, inside folders or not. The page of an entry is preferred to its feed.
func readOPML(text []byte) ([]Entry, error) {
	in := xml.NewDecoder(bytes.NewReader(text))
	in.Strict = false
	var entries []Entry
	found := false
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) && found {
			return entries, nil
		}
		if err != nil {
			return nil, errors.New("the list is not OPML: " + opmlFault(err))
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		found = found || start.Name.Local == "opml"
		if start.Name.Local != "outline" {
			continue
		}
		if b := outlined(start.Attr); b.URL != "" {
			line, _ := in.InputPos()
			entries = append(entries, Entry{Line: line, Board: b})
		}
	}
}

func opmlFault(err error) string {
	if fault, ok := errors.AsType[*xml.SyntaxError](err); ok {
		return fmt.Sprintf("line %d cannot be read", fault.Line)
	}
	return "it has no element opml"
}

// outlined returns the board described by an outline's attributes; empty if they contain no address.
func outlined(attributes []xml.Attr) NewBoard {
	var o outline
	for _, a := range attributes {
		for name, value := range map[string]*string{"text": &o.Text, "title": &o.Title, "xmlurl": &o.XMLURL, "htmlurl": &o.HTMLURL} {
			if strings.EqualFold(a.Name.Local, name) {
				*value = strings.TrimSpace(a.Value)
			}
		}
	}
	b := NewBoard{URL: o.HTMLURL, CompanyName: o.Title}
	if b.URL == "" {
		b.URL = o.XMLURL
	}
	if b.CompanyName == "" {
		b.CompanyName = o.Text
	}
	return b
}
