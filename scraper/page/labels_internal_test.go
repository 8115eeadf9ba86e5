package page

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// Of the fields that a page shows of a role, the one that it calls the title is one, and the others are none.
func TestTitlesAreToldByTheirLabels(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"headings in boxes": {`<h2>採用情報</h2><div><div><h3>募集職種</h3><p>仕入れ、仲介営業</p></div><div><h3>給与</h3><p>25万円～35万円</p></div><div><h3>勤務地</h3><p>目黒区</p></div>` +
			`<div><h3>応募資格</h3><p>宅地建物取引士</p></div></div>`, []string{"仕入れ、仲介営業"}},
		"cells": {`<h2>人才招聘</h2><table><tr><td>招聘职位</td><td>数控车床操作工</td><td>招聘人数</td><td>6人</td></tr><tr><td>工作地点</td><td>宁波鄞州</td><td>薪资待遇</td><td>面议</td></tr></table>` +
			`<table><tr><td>招聘职位</td><td>外贸业务员</td><td>招聘人数</td><td>2人</td></tr><tr><td>工作地点</td><td>宁波江北</td><td>薪资待遇</td><td>面议</td></tr></table>`, []string{"数控车床操作工", "外贸业务员"}},
		"terms": {`<h2>Open positions</h2><dl><dt>Position</dt><dd>Welder</dd><dt>Reports to</dt><dd>Yard Manager</dd><dt>Works with</dt><dd>Riggers</dd></dl>`, []string{"Welder"}},
	} {
		u, err := url.Parse("https://www.company.example/jobs")
		require.NoError(t, err)
		page := `<!doctype html><html><head><title>Jobs</title></head><body>` + c.body + `</body></html>`
		var titles []string
		for _, p := range Parse([]byte(page), u).Candidates(u).List().Reading.Postings {
			titles = append(titles, p.Title)
		}
		require.Equal(t, c.want, titles, name)
	}
}
