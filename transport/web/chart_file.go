package web

import (
	"bytes"
	"fmt"
	"html"
	"net/http"
	"strconv"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// chartFiles are the addresses of a chart as files. A picture in points is made of the SVG by the browser.
type chartFiles struct{ SVG, CSV string }

func filesAt(r *http.Request) chartFiles {
	q := r.URL.Query()
	return chartFiles{with(q, r.URL.Path, "as", "svg"), with(q, r.URL.Path, "as", "csv")}
}

// sendChart sends a chart as a file.
func sendChart(w http.ResponseWriter, as, title string, p *plot) error {
	if p == nil || as != "svg" && as != "csv" {
		return boardwatch.NotFound("chart")
	}
	if as == "csv" {
		return download(w, "chart", as, nil, p.rows())
	}
	h := w.Header()
	h.Set("Content-Type", "image/svg+xml")
	h.Set("Content-Disposition", `attachment; filename="boardwatch-chart.svg"`)
	h.Set("Cache-Control", "no-store")
	_, _ = w.Write(p.svg(title)) //nolint:gosec // texts are escaped; a client that has gone is its own affair
	return nil
}

// rows lists the values of a chart for a spreadsheet, a day or a week in each row. A value that is not known is empty.
func (p *plot) rows() [][]string {
	head := []string{p.Unit}
	for _, c := range p.columns {
		head = append(head, c.Name)
	}
	rows := [][]string{head}
	for i, day := range p.days {
		row := []string{day.Format("2006-01-02")}
		for _, c := range p.columns {
			text := ""
			if at := i - len(p.days) + len(c.Values); at >= 0 {
				text = strconv.Itoa(c.Values[at])
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	return rows
}

// The margins of a chart in a file, in which its texts are.
const (
	fileLeft, fileRight = 56, 16
	fileTop             = 64
	fileGap             = 28 // between the parts of the chart, and below them
	fileKey             = 22 // a line of names
)

// fileLook is how lines are told apart in a file, which has one theme.
const fileLook = `text{font:13px system-ui,sans-serif;fill:#525b6a}.t{font-size:17px;font-weight:600;fill:#12161d}.y{text-anchor:end}` +
	`.line{fill:none;stroke:#2450c5;stroke-width:2;stroke-linejoin:round}.area{fill:#e9effc}.rule{stroke:#e4e8ee}.base{stroke:#7c8595}` +
	`.up{fill:#2450c5}.down{fill:#a5abb6}.s2{stroke:#0a7a75;stroke-dasharray:8 3}.s3{stroke:#a2318f;stroke-dasharray:2 4}` +
	`.s4{stroke:#8a5a00;stroke-dasharray:10 3 2 3}.s5{stroke:#4b5563;stroke-width:1.25}`

// svg draws a chart with its texts.
func (p *plot) svg(title string) []byte {
	keys := 0
	if len(p.Open.Lines) > 1 {
		keys = len(p.Open.Lines)
	}
	height := fileTop + p.Open.Height + fileGap + keys*fileKey
	if p.Flow != nil {
		height += p.Flow.Height + fileGap
	}
	width := fileLeft + plotWidth + fileRight
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d"><style>%s</style>`, width, height, fileLook)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/><text class="t" x="16" y="30">%s</text>`, width, height, html.EscapeString(title))
	y := fileTop
	p.Open.draw(&b, y)
	y += p.Open.Height
	if p.Flow != nil {
		y += fileGap
		p.Flow.draw(&b, y)
		y += p.Flow.Height
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text><text class="y" x="%d" y="%[2]d">%s</text>`,
		fileLeft, y+fileGap-8, p.First, width-fileRight, p.days[len(p.days)-1].Format("2 Jan 2006"))
	for i := range keys {
		at := y + fileGap + i*fileKey + 8
		l := p.Open.Lines[i]
		fmt.Fprintf(&b, `<line class="line %s" x1="%d" x2="%d" y1="%d" y2="%[4]d"/><text x="%d" y="%d">%s</text>`,
			l.Class, fileLeft, fileLeft+32, at-4, fileLeft+40, at, html.EscapeString(l.Name))
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func (f *panel) draw(b *bytes.Buffer, top int) {
	for _, m := range f.Marks {
		at, _ := strconv.ParseFloat(m.Y, 64) // our own number
		fmt.Fprintf(b, `<text class="y" x="%d" y="%s">%s</text>`, fileLeft-8, coordinate(float64(top)+at+4), m.Text)
	}
	fmt.Fprintf(b, `<g transform="translate(%d %d)">`, fileLeft, top)
	for _, m := range f.Marks {
		fmt.Fprintf(b, `<line class="rule" x2="%d" y1="%s" y2="%[2]s"/>`, f.Width, m.Y)
	}
	if len(f.Lines) == 1 {
		fmt.Fprintf(b, `<polygon class="area" points="%s"/>`, f.Lines[0].Area)
	}
	for _, l := range f.Lines {
		fmt.Fprintf(b, `<polyline class="line %s" points="%s"/>`, l.Class, l.Points)
	}
	for _, r := range f.Bars {
		fmt.Fprintf(b, `<rect class="%s" x="%s" y="%s" width="%s" height="%s"/>`, r.Class, r.X, r.Y, r.Width, r.Height)
	}
	fmt.Fprintf(b, `<line class="base" x2="%d" y1="%s" y2="%[2]s"/></g>`, f.Width, f.Zero)
}
