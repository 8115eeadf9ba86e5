package scraper_test

// widePagers are the default pagers of job plug-ins, page builders, systems for low code and older frameworks.
func widePagers() []pagerForm {
	forms := append(wideAddresses(), wideTabs()...)
	forms = append(forms, wideScripts()...)
	return append(forms, pagersByLanguage()...)
}

// wideAddresses lead on by addresses.
func wideAddresses() []pagerForm {
	numbers := `{{range .Pages}}{{if .Current}}<span class="page-numbers current">{{.N}}</span>{{else}}<a class="page-numbers" href="{{.URL}}">{{.N}}</a>{{end}}{{end}}`
	return []pagerForm{
		{name: "WordPress blocks, enhanced", at: "?query-0-page=%d", around: `<div class="wp-block-query" data-wp-interactive="core/query" data-wp-router-region="query-0" data-wp-context="{}">%s`, markup: `<nav class="wp-block-query-pagination is-content-justification-space-between" aria-label="Pagination">{{if .Next}}<a data-wp-key="query-pagination-next" data-wp-on--click="core/query::actions.navigate" data-wp-on-async--mouseenter="core/query::actions.prefetch" href="{{.Next}}" class="wp-block-query-pagination-next">Next Page<span class="wp-block-query-pagination-next-arrow is-arrow-arrow" aria-hidden="true">→</span></a>{{end}}</nav></div>`},
		{name: "WordPress blocks, arrows alone", at: "?query-3-page=%d&cst", markup: `<nav class="wp-block-query-pagination">{{if .Next}}<a href="{{.Next}}" class="wp-block-query-pagination-next" aria-label="Next Page"><span class="wp-block-query-pagination-next-arrow is-arrow-chevron" aria-hidden="true">»</span></a>{{end}}</nav>`},
		{name: "GenerateBlocks", at: "?query-d1b2-page=%d", markup: `<div class="gb-query-page-numbers">{{range .Pages}}{{if .Current}}<span aria-current="page" class="page-numbers current">{{.N}}</span>{{else}}<a class="page-numbers" href="{{.URL}}">{{.N}}</a>{{end}}{{end}}</div>{{if .Next}}<a class="gb-text gb-text-9a2" href="{{.Next}}">Next</a>{{end}}`},
		{name: "Simple Job Board", at: "/page/%d/", markup: `<div class="sjb-pagination"><ul class="page-numbers">{{range .Pages}}<li>{{if .Current}}<span aria-current="page" class="page-numbers current">{{.N}}</span>{{else}}<a class="page-numbers" href="{{.URL}}">{{.N}}</a>{{end}}</li>{{end}}{{if .Next}}<li><a class="next page-numbers" href="{{.Next}}"><span class="fa fa-long-arrow-right"></span></a></li>{{end}}</ul></div>`},
		{name: "Jobus", at: "/page/%d/", markup: `<div class="pt-30 d-sm-flex"><p class="m0">Showing <span class="text-dark fw-500">{{.From}}</span> - <span>{{.To}}</span> of <span class="text-dark fw-500">{{.Total}}</span></p><ul class="jobus_pagination">{{range .Pages}}<li>{{if .Current}}<span class="current">{{.N}}</span>{{else}}<a href="{{.URL}}">{{.N}}</a>{{end}}</li>{{end}}</ul></div>`},
		{name: "Matador", at: "?current_page=%d", markup: `<nav class="matador-pagination">` + numbers + `</nav>`},
		{name: "WP Job Portal", at: "?pagenum=%d", markup: `<div class="tablenav"><div class="tablenav-pages">` + numbers + `{{if .Next}}<a class="next page-numbers" href="{{.Next}}">Next</a>{{end}}</div></div>`},
		{name: "Woodmart", at: "?paged=%d", markup: `{{if .Next}}<div class="wd-loop-footer blog-footer"><a href="{{.Next}}" rel="nofollow noopener" class="btn wd-load-more wd-blog-load-more load-on-click"><span class="load-more-label">Load more posts</span></a><div class="btn wd-load-more wd-load-more-loader"><span class="load-more-loading">Loading...</span></div></div>{{end}}`},
		{name: "Qode", at: "/page/%d/", markup: `{{if .Next}}<div class="blog_load_more_button_holder"><div class="blog_load_more_button"><span rel="3" data-rel="3"><a href="{{.Next}}">Show more</a></span></div></div>{{end}}`},
		{name: "Blocksy, infinite", at: "/page/%d/", markup: `{{if .Next}}<nav class="ct-pagination" data-pagination="infinite_scroll"><div class="ct-load-more-helper"><span class="ct-ajax-loader"><svg></svg></span><div class="ct-last-page-text">No more posts to load</div></div><a class="next page-numbers" rel="next" href="{{.Next}}" style="display:none">Next</a></nav>{{end}}`},
		{name: "Twenty Ten, older with an arrow first", at: "/page/%d/", markup: `<div id="nav-below" class="navigation">{{if .Next}}<div class="nav-previous"><a href="{{.Next}}"><span class="meta-nav">&larr;</span> Older posts</a></div>{{end}}</div>`},
		{name: "Kubrick, previous entries are older", at: "/page/%d/", markup: `<div class="navigation">{{if .Next}}<div class="alignleft"><a href="{{.Next}}">&laquo; Previous Entries</a></div>{{end}}</div>`},
		{name: "Weebly, previous is older", at: "/previous/%d", markup: `{{if .Next}}<div class="blog-page-nav-previous"><a href="{{.Next}}" class="blog-link">&lt;&lt;Previous</a></div>{{end}}`},
		{name: "Drupal 7", zero: true, markup: `<div class="item-list"><ul class="pager">{{range .Pages}}{{if .Current}}<li class="pager-current">{{.N}}</li>{{else}}<li class="pager-item"><a title="Go to page {{.N}}" href="{{.URL}}">{{.N}}</a></li>{{end}}{{end}}{{if .Next}}<li class="pager-next"><a title="Go to next page" href="{{.Next}}">next ›</a></li><li class="pager-last last"><a title="Go to last page" href="{{.Last}}">last »</a></li>{{end}}</ul></div>`},
		{name: "Drupal 7, mini", zero: true, markup: `<div class="item-list"><ul class="pager"><li class="pager-previous first">&nbsp;</li><li class="pager-current">{{.N}} of {{.Of}}</li>{{if .Next}}<li class="pager-next last"><a href="{{.Next}}">››</a></li>{{end}}</ul></div>`},
		{name: "Drupal, the second list of a page", at: "?page=%%2C%d", zero: true, markup: `<nav class="pager"><ul class="pager__items js-pager__items">{{range .Pages}}<li class="pager__item{{if .Current}} is-active{{end}}"><a href="{{.URL}}"{{if .Current}} aria-current="page"{{end}}><span class="visually-hidden">Page</span>{{.N}}</a></li>{{end}}</ul></nav>`},
		{name: "Drupal, exposed filters", at: "?title=&field_place_target_id=All&page=%d", zero: true, markup: `<ul class="js-pager__items pager" data-drupal-views-infinite-scroll-pager>{{if .Next}}<li class="pager__item"><a class="button" href="{{.Next}}" rel="next">Mehr laden</a></li>{{end}}</ul>`, language: "de"},
		{name: "TYPO3, news", language: "de", at: "?tx_news_pi1%%5BcurrentPage%%5D=%d&cHash=9c1", markup: `<div class="page-navigation"><p>Seite {{.N}} von {{.Of}}.</p><ul class="f3-widget-paginator">{{range .Pages}}{{if .Current}}<li class="current">{{.N}}</li>{{else}}<li><a href="{{.URL}}">{{.N}}</a></li>{{end}}{{end}}{{if .Next}}<li class="last next"><a href="{{.Next}}">Nächste</a></li>{{end}}</ul></div>`},
		{name: "TYPO3, numbered pagination", language: "de", at: "/page-%d", markup: `<nav class="pagination-wrap"><ul class="pagination">{{range .Pages}}<li class="page-item{{if .Current}} active{{end}}"><a href="{{.URL}}" class="page-link" title="Seite {{.N}}">{{.N}}</a></li>{{end}}<li class="page-item disabled"><span class="page-link">…</span></li>{{if .Next}}<li class="page-item"><a href="{{.Next}}" class="page-link" title="nächste"><i class="material-icons">navigate_next</i></a></li>{{end}}</ul></nav>`},
		{name: "TYPO3, ke_search", language: "de", at: "?tx_kesearch_pi1%%5Bpage%%5D=%d&tx_kesearch_pi1%%5Bsword%%5D=", markup: `<div class="pages_total">Anzeige der Ergebnisse {{.From}} bis {{.To}} von insgesamt {{.Total}}</div><div class="pagebrowser"><ul>{{range .Pages}}<li><a href="{{.URL}}"{{if .Current}} class="current"{{end}}>{{.N}}</a></li>{{end}}</ul></div>`},
		{name: "Government Site Builder", language: "de", at: "!/jobs?gtp=633424_unnamed%%253D%d", markup: `<div class="navIndex"><p class="navSearch">Seite:</p><ul>{{range .Pages}}<li>{{if .Current}}<strong>{{.N}}</strong>{{else}}<a href="{{.URL}}" title="Gehe zu Seite {{.N}}">{{.N}}</a>{{end}}</li>{{end}}</ul></div>`},
		{name: "Sitepark", language: "de", at: "?sp%%3Apage%%5Bsearch-1.form%%5D%%5B0%%5D=%d", markup: `<nav class="SP-Pagination"><ol>{{range .Pages}}<li><a href="{{.URL}}" class="SP-Paging__{{if .Current}}current{{else}}item{{end}}"><span>{{.N}}</span></a></li>{{end}}{{if .Next}}<li><a class="SP-Iconized--right" href="{{.Next}}"><span class="SP-Iconized__text">weiter</span></a></li>{{end}}</ol></nav>`},
		{name: "Liferay, asset publisher", at: "?p_p_id=com_liferay_asset_publisher_web_portlet_AssetPublisherPortlet_INSTANCE_gHk3&p_p_lifecycle=0&_com_liferay_asset_publisher_web_portlet_AssetPublisherPortlet_INSTANCE_gHk3_delta=8&p_r_p_resetCur=false&_com_liferay_asset_publisher_web_portlet_AssetPublisherPortlet_INSTANCE_gHk3_cur=%d", markup: `<div class="taglib-page-iterator"><small class="search-results">Showing {{.From}} - {{.To}} of {{.Total}} results.</small><ul class="lfr-pagination-buttons pager">{{if .Next}}<li><a href="{{.Next}}" target="_self">Next</a></li><li><a href="{{.Last}}">Last</a></li>{{end}}</ul></div>`},
		{name: "OpenText", step: pagerSize, at: "?start=%d&rows=8", markup: `<div class="pager"><span class="current">{{.N}}</span>{{if .Next}}<a href="{{.Next}}" class="pager-next"><span class="visuallyhidden">Next results</span></a>{{end}}</div>`},
		{name: "Shopware 5", language: "de", at: "?p=%d", markup: `<div class="listing--paging panel--paging">{{if .Next}}<a title="Nächste Seite" href="{{.Next}}" class="paging--link paging--next"><i class="icon--arrow-right"></i></a>{{end}}<span class="paging--display">von <strong>{{.Of}}</strong></span></div>`},
		{name: "PrestaShop", language: "fr", markup: `<nav class="pagination"><div class="col-md-4">Affichage {{.From}}-{{.To}} de {{.Total}} article(s)</div><ul class="page-list">{{if .Next}}<li><a rel="next" href="{{.Next}}" class="next js-search-link">Suivant<i class="material-icons">&#xE315;</i></a></li>{{end}}</ul></nav>`},
		{name: "OpenCart", markup: `<div class="row"><div class="col-sm-6"><ul class="pagination">{{range .Pages}}<li{{if .Current}} class="active"{{end}}>{{if .Current}}<span>{{.N}}</span>{{else}}<a href="{{.URL}}">{{.N}}</a>{{end}}</li>{{end}}{{if .Next}}<li><a href="{{.Next}}">&gt;</a></li><li><a href="{{.Last}}">&gt;|</a></li>{{end}}</ul></div><div class="col-sm-6">Showing {{.From}} to {{.To}} of {{.Total}} ({{.Of}} Pages)</div></div>`},
		{name: "MODX", at: "?page=%d", markup: `<div id="pdopage"><div class="pagination"><ul><li class="disabled"><span>«</span></li>{{range .Pages}}<li{{if .Current}} class="active"{{end}}><a href="{{if .Current}}#{{else}}{{.URL}}{{end}}">{{.N}}</a></li>{{end}}</ul></div></div>`},
		{name: "Textpattern", at: "?pg=%d", markup: `<p class="paginator">{{if .Next}}<a rel="next" href="{{.Next}}" title="Older">Older</a>{{end}}</p>`},
		{name: "Gatsby", at: "/%d", markup: `<nav><ul style="display:flex"><li>{{if .Prev}}<a rel="prev" href="{{.Prev}}">← Previous Page</a>{{end}}</li>{{range .Pages}}<li><a{{if .Current}} aria-current="page"{{end}} href="{{.URL}}">{{.N}}</a></li>{{end}}<li>{{if .Next}}<a rel="next" href="{{.Next}}">Next Page →</a>{{end}}</li></ul></nav>`},
		{name: "October, record list", at: "/%d", markup: `<ul class="pagination">{{if .Prev}}<li><a href="{{.Prev}}">&larr; Prev</a></li>{{end}}{{range .Pages}}<li class="{{if .Current}}active{{end}}"><a href="{{.URL}}">{{.N}}</a></li>{{end}}{{if .Next}}<li><a href="{{.Next}}">Next &rarr;</a></li>{{end}}</ul>`},
		{name: "Pagy, a keyset in the page", at: "?page=WzEyMyw0NTZ", markup: `<nav class="pagy" aria-label="Pages">{{if .Next}}<a href="{{.Next}}" aria-label="Next">&gt;</a>{{end}}</nav>`},
		{name: "Scrivener", markup: `<nav><ul class="pagination">{{range .Pages}}<li class="{{if .Current}}active {{end}}page-item">{{if .Current}}<a class="page-link">{{.N}}</a>{{else}}<a class="page-link" href="{{.URL}}">{{.N}}</a>{{end}}</li>{{end}}{{if .Next}}<li class="page-item"><a class="page-link" href="{{.Next}}" rel="next">&gt;&gt;</a></li>{{end}}</ul></nav>`},
		{name: "Grails", step: pagerSize, at: "?offset=%d&max=8", markup: `<div class="pagination">{{range .Pages}}{{if .Current}}<span class="currentStep">{{.N}}</span>{{else}}<a href="{{.URL}}" class="step">{{.N}}</a>{{end}}{{end}}{{if .Next}}<a href="{{.Next}}" class="nextLink">Next</a>{{end}}</div>`},
		{name: "DisplayTag", at: "?d-49216-p=%d", markup: `<span class="pagebanner">{{.Total}} items found, displaying {{.From}} to {{.To}}.</span><span class="pagelinks">[First/Prev] {{range .Pages}}{{if .Current}}<strong>{{.N}}</strong>{{else}}<a href="{{.URL}}" title="Go to page {{.N}}">{{.N}}</a>{{end}}, {{end}}{{if .Next}}[<a href="{{.Next}}">Next</a>/<a href="{{.Last}}">Last</a>]{{else}}[Next/Last]{{end}}</span>`},
		{name: "Tapestry", at: "!/jobs.grid.pager/%d/grid", markup: `<div class="t-data-grid-pager">{{range .Pages}}{{if .Current}}<span class="current">{{.N}}</span>{{else}}<a title="Go to page {{.N}}" href="{{.URL}}">{{.N}}</a>{{end}}{{end}}</div>`},
		{name: "Wicket", at: "?%d-1.0-navigator-navigation-pageLink", markup: `<div class="navigator"><span>{{range .Pages}}<span>{{if .Current}}<em><span>{{.N}}</span></em>{{else}}<a href="{{.URL}}" title="Go to page {{.N}}"><span>{{.N}}</span></a>{{end}}</span>{{end}}</span>{{if .Next}}<a href="{{.Next}}" rel="next" title="Go to next page">&gt;</a>{{end}}</div>`},
		{name: "Domino", step: pagerSize, at: "?OpenView&Count=8&Start=%d", markup: `{{if .Next}}<table><tr><td><a href="{{.Next}}"><font size="2">Next</font></a></td></tr></table>{{end}}`},
		{name: "ColdFusion", step: pagerSize, at: "?StartRow=%d", markup: `{{if .Next}}<table><tr><td><a href="{{.Next}}">Next 8 records</a></td></tr></table>{{end}}`},
		{name: "first entries counted from one", step: pagerSize, at: "?beginIndex=%d", markup: `<p>{{range .Pages}}{{if .Current}}<b>{{.N}}</b>{{else}}<a href="{{.URL}}">{{.N}}</a>{{end}} {{end}}</p>`},
		{name: "an unknown offset and an arrow", step: pagerSize, at: "?pos=%d", markup: `<div>{{if .Next}}<a href="{{.Next}}" title="Next 8"><img src="/right.png"></a>{{end}}</div>`},
		{name: "a number behind a comma", at: "!/jobs,%d.html", language: "pl", markup: `<div class="stronicowanie">{{range .Pages}}{{if .Current}}<b>{{.N}}</b>{{else}}<a href="{{.URL}}">{{.N}}</a>{{end}} {{end}}{{if .Next}}<a href="{{.Next}}">następna &raquo;</a>{{end}}</div>`},
		{name: "a number behind a semicolon", at: ";page=%d", markup: `{{if .Next}}<a href="{{.Next}}">Next page</a>{{end}}`},
		{name: "page and size in the path", at: "/page/%d/size/8", markup: `{{if .Next}}<a href="{{.Next}}">Next page</a>{{end}}`},
		{name: "a number before the rest of the path", at: "!/jobs/page/%d/all/", markup: `<ul class="pages">{{range .Pages}}<li>{{if .Current}}<span>{{.N}}</span>{{else}}<a href="{{.URL}}">{{.N}}</a>{{end}}</li>{{end}}</ul>`},
		{name: "a Swedish path", language: "sv", at: "/sida/%d", markup: `{{if .Next}}<a class="button" href="{{.Next}}">Nästa sida</a>{{end}}`},
		{name: "Primer", markup: `<nav aria-label="Pagination" class="paginate-container"><div class="pagination">{{if .Prev}}<a class="previous_page" rel="prev" href="{{.Prev}}" aria-label="Previous Page">Previous</a>{{else}}<span class="previous_page" aria-disabled="true">Previous</span>{{end}}{{range .Pages}}{{if .Current}}<em aria-current="page">{{.N}}</em>{{else}}<a href="{{.URL}}" aria-label="Page {{.N}}">{{.N}}</a>{{end}}{{end}}{{if .Next}}<a class="next_page" rel="next" href="{{.Next}}" aria-label="Next Page">Next</a>{{else}}<span class="next_page" aria-disabled="true">Next</span>{{end}}</div></nav>`},
		{name: "MUI, links", markup: `<nav class="MuiPagination-root" aria-label="pagination navigation"><ul class="MuiPagination-ul">{{range .Pages}}<li><a class="MuiButtonBase-root MuiPaginationItem-root{{if .Current}} Mui-selected{{end}}" tabindex="0" aria-label="{{if .Current}}page {{.N}}{{else}}Go to page {{.N}}{{end}}" href="{{.URL}}">{{.N}}</a></li>{{end}}</ul></nav>`},
		{name: "HyperUI", markup: `<ol class="flex justify-center gap-1 text-xs font-medium">{{range .Pages}}{{if .Current}}<li class="block size-8 rounded-sm bg-blue-600 text-white">{{.N}}</li>{{else}}<li><a href="{{.URL}}" class="block size-8 rounded-sm">{{.N}}</a></li>{{end}}{{end}}{{if .Next}}<li><a href="{{.Next}}" class="inline-flex size-8"><span class="sr-only">Next Page</span><svg></svg></a></li>{{end}}</ol>`},
		{name: "Alpine AJAX", markup: `{{if .Next}}<div x-init x-intersect="$ajax('{{.Next}}')"></div>{{end}}`},
		{name: "Alpine AJAX, a link", markup: `{{if .Next}}<a href="{{.Next}}" x-target.append="openings pagination">Load more</a>{{end}}`},
		{name: "fixi", markup: `{{if .Next}}<div fx-action="{{.Next}}" fx-trigger="intersect" fx-swap="outerHTML">Loading…</div>{{end}}`},
		{name: "fixi, a button", markup: `{{if .Next}}<button fx-action="{{.Next}}" fx-target="#more">More jobs</button>{{end}}`},
		{name: "Intercooler", markup: `{{if .Next}}<span ic-append-from="{{.Next}}" ic-trigger-on="scrolled-into-view" ic-target="#openings"><i class="fa fa-spinner"></i></span>{{end}}`},
		{name: "htmx, a whole row of buttons", markup: `<div class="pager">{{range .Pages}}<button hx-get="{{.URL}}" hx-push-url="true"{{if .Current}} class="active"{{end}}>{{.N}}</button>{{end}}</div>`},
		{name: "Stimulus, a value that is the next address", markup: `{{if .Next}}<div data-controller="pager" data-pager-url-value="{{.Next}}"><button data-action="pager#load">Show more</button></div>{{end}}`},
		{name: "Laravel, a paginator for a component", markup: `{{if .Next}}<load-more :paginator='{"current_page":{{.N}},"last_page":{{.Of}},"next_page_url":"https:\/\/www.company.example{{.Next}}","per_page":8,"total":{{.Total}}}'></load-more>{{end}}`},
		{name: "prefetched in the head", head: `{{if .Next}}<link rel="prefetch" href="{{.Next}}">{{end}}`},
		{name: "a select that a script joins to an address", at: "?batch=%d", markup: `<select onchange="location.href='/jobs?batch='+this.value">{{range .Pages}}<option value="{{.N}}"{{if .Current}} selected{{end}}>{{.N}}</option>{{end}}</select>`},
		{name: "show all, a list that grows", at: "?limit=%d", step: -pagerSize, grows: true, markup: `{{if .Next}}<a href="{{.Last}}">Show all</a>{{end}}`},
		{name: "view all 24, a list that grows", at: "?show=%d", step: -pagerSize, grows: true, markup: `{{if .Next}}<a href="{{.Last}}">View all {{.Total}} jobs</a>{{end}}`},
		{name: "in the foot of a table", around: `<table><tbody><tr><td>%s</td></tr></tbody>`, markup: `<tfoot><tr><td colspan="3">{{range .Pages}}{{if .Current}}<span>{{.N}}</span>{{else}}<a href="{{.URL}}">{{.N}}</a>{{end}}&nbsp;{{end}}</td></tr></tfoot></table>`},
		{name: "AMP, a list", around: `<amp-list load-more="auto" src="https://www.company.example/jobs.json" width="300" height="200">%s</amp-list>`, markup: `{{if .Next}}<a class="next" href="{{.Next}}">More</a>{{end}}`},
		{name: "numbers in Arabic digits", language: "ar", markup: `<ul class="pagination">{{range .Pages}}<li{{if .Current}} class="active"{{end}}><a href="{{.URL}}">{{if eq .N 1}}١{{else if eq .N 2}}٢{{else}}٣{{end}}</a></li>{{end}}</ul>`},
		{name: "PEAR Pager", at: "?pageID=%d", markup: `<p>{{range .Pages}}{{if .Current}}<b><u>{{.N}}</u></b>{{else}}<a href="{{.URL}}" title="page {{.N}}">{{.N}}</a>{{end}}&nbsp;|&nbsp;{{end}}{{if .Next}}<a href="{{.Next}}" title="next page">&raquo;</a>{{end}}</p>`},
		{name: "without www", at: "!https://company.example/jobs?page=%d", markup: `{{if .Next}}<a class="next" href="{{.Next}}">Next</a>{{end}}`},
		{name: "a form for each page", at: "/page/%d", markup: `{{if .Next}}<form action="{{.Next}}"><button>Next</button></form>{{end}}`},
		{name: "numbers that are fields of a form", markup: `<form action="/jobs">{{range .Pages}}<input type="submit" name="page" value="{{.N}}"{{if .Current}} disabled{{end}}>{{end}}</form>`},
		{name: "an address in a script's link", markup: `{{if .Next}}<a href="javascript:location.href='{{.Next}}'">Next</a>{{end}}`},
		{name: "an address by another attribute", markup: `{{if .Next}}<div class="next" data-link="{{.Next}}"></div>{{end}}`},
		{name: "more below the list in a box of its own", around: `<div class="col-9">%s</div>`, markup: `<div class="row"><div class="col-12 text-center">{{if .Next}}<a class="btn" href="{{.Next}}">See more vacancies</a>{{end}}</div></div>`},
	}
}

// wideTabs part a list by a letter, a place or a department, one part on each page.
func wideTabs() []pagerForm {
	return []pagerForm{
		{name: "letters", at: "?letter=x", above: `<ul class="az">{{range .Pages}}<li{{if .Current}} class="active"{{end}}><a href="{{.URL}}">{{if eq .N 1}}A{{else if eq .N 2}}B{{else}}C{{end}}</a></li>{{end}}</ul>`},
		{name: "tabs by place", at: "?city=x", above: `<ul class="nav nav-tabs">{{range .Pages}}<li class="nav-item"><a class="nav-link{{if .Current}} active{{end}}"{{if .Current}} aria-current="page"{{end}} href="{{.URL}}">{{if eq .N 1}}Berlin{{else if eq .N 2}}Paris{{else}}Madrid{{end}}</a></li>{{end}}</ul>`},
		{name: "tabs by department", at: "?team=x", above: `<div role="tablist">{{range .Pages}}<a role="tab" aria-selected="{{.Current}}" href="{{.URL}}">{{if eq .N 1}}Plant{{else if eq .N 2}}Kitchen{{else}}Office{{end}}</a>{{end}}</div>`},
	}
}

// wideScripts lead on by scripts and by forms that are posted.
func wideScripts() []pagerForm {
	forms := []pagerForm{
		{name: "JobBoardWP", markup: `<div class="jb-jobs-pagination-box"><a href="javascript:void(0);" class="jb-load-more-jobs">Load more jobs</a></div>`},
		{name: "JobSearch", markup: `<div class="jobsearch-pagination-blog"><ul class="jobsearch-page-numbers">{{range .Pages}}<li>{{if .Current}}<span class="jobsearch-page-numbers current">{{.N}}</span>{{else}}<a class="jobsearch-page-numbers" href="javascript:void(0);" onclick="jobsearch_job_pagenation_ajax('job_page','{{.N}}','61')">{{.N}}</a>{{end}}</li>{{end}}</ul></div>`},
		{name: "JetEngine, a list by scrolling", around: `<div class="jet-listing-grid__items grid-col-desk-3" data-queried-id="12|WP_Post" data-nav="{&quot;enabled&quot;:true,&quot;type&quot;:&quot;scroll&quot;,&quot;more_el&quot;:null}" data-page="1" data-pages="3" data-listing-source="posts">%s</div>`},
		{name: "The Post Grid", markup: `<div class="rt-pagination-wrap" data-total-pages="3" data-posts-per-page="8" data-type="load_more"><div class="rt-loadmore-btn rt-loadmore-action rt-loadmore-style"><span class="rt-loadmore-text">Load More</span><div class="rt-loadmore-loading rt-ball-scale-multiple rt-2x"><div></div><div></div></div></div></div>`},
		{name: "Essential Addons", markup: `<div class="eael-load-more-button-wrap"><button class="eael-load-more-button" id="eael-load-more-btn-1" data-widget="1" data-page="1" data-max-page="3"><span class="eael-btn-loader button__loader"></span><span class="eael_load_more_text">Load More</span></button></div>`},
		{name: "Essential Grid", markup: `<div class="esg-loadmore-wrapper"><div class="esg-navigationbutton esg-loadmore">LOAD MORE (16)</div></div>`},
		{name: "Stackable", markup: `<div class="wp-block-stackable-load-more-button"><a class="stk-link stk-button"><span class="stk-button__inner-text">Load More</span></a></div>`},
		{name: "Qi Addons", markup: `<div class="qodef-m-pagination qodef--load-more"><div class="qodef-m-pagination-inner"><div class="qodef-m-load-more-button"><a class="qodef-shortcode qodef-button" href="#" target="_self"><span class="qodef-m-text">Load More</span></a></div></div></div>`},
		{name: "Neve, infinite", markup: `<div class="load-more-posts"><span class="nv-loader" style="display: none;"></span><span class="infinite-scroll-trigger"></span></div>`},
		{name: "Tilda", language: "ru", markup: `<div class="t-feed__button-wrapper"><a href="" class="js-feed-btn-show-more t-feed__showmore-btn t-btn"><div class="t-feed__button-container"><span>Показать еще</span></div></a></div>`},
		{name: "Tilda, a table for a button", markup: `<div class="t-store__load-more-btn-wrap t-align_center"><div class="js-store-load-more-btn t-store__load-more-btn t-btn t-btn_sm"><table style="width:100%"><tr><td>Load more</td></tr></table></div></div>`},
		{name: "Notion", markup: `<div role="button" tabindex="0" class="notion-focusable"><svg></svg><div>Load more</div></div>`},
		{name: "Shopware 6", markup: `<nav aria-label="pagination" class="pagination-nav"><ul class="pagination">{{range .Pages}}<li class="page-item{{if .Current}} active{{end}}"><input type="radio" name="p" id="p{{.N}}" value="{{.N}}" class="d-none"{{if .Current}} checked{{end}}><label class="page-link" for="p{{.N}}">{{.N}}</label></li>{{end}}<li class="page-item page-next"><input type="radio" name="p" id="p-next" value="2" class="d-none"><label class="page-link" for="p-next"><span class="icon icon-arrow-medium-right"></span></label></li></ul></nav>`},
		{name: "jPList", markup: `<div class="jplist-panel"><div class="jplist-pagination" data-control-type="pagination" data-control-name="paging"><div class="jplist-pagingmid" data-type="pagingmid">{{range .Pages}}<button type="button" data-type="page"{{if .Current}} class="jplist-current" data-active="true"{{end}} data-number="{{.N}}">{{.N}}</button>{{end}}</div><div class="jplist-pagingnext"><button data-number="1" type="button" class="jplist-next" data-type="next">›</button></div></div></div>`},
		{name: "MixItUp", markup: `<div class="mixitup-page-list">{{range .Pages}}<button type="button" class="mixitup-control{{if .Current}} mixitup-control-active{{end}}" data-page="{{.N}}">{{.N}}</button>{{end}}<button type="button" class="mixitup-control mixitup-control-next" data-page="next">&raquo;</button></div><div class="mixitup-page-stats">{{.From}} to {{.To}} of {{.Total}}</div>`},
		{name: "jQuery EasyUI", markup: `<div class="datagrid-pager pagination"><table><tr><td><span style="padding-left:6px;">Page</span></td><td><input class="pagination-num" type="text" value="1" size="2"></td><td><span style="padding-right:6px;">of {{.Of}}</span></td><td><a href="javascript:;" class="l-btn l-btn-small l-btn-plain"><span class="l-btn-icon pagination-next">&nbsp;</span></a></td></tr></table><div class="pagination-info">Displaying {{.From}} to {{.To}} of {{.Total}} items</div></div>`},
		{name: "layui, a flow", language: "zh", markup: `<div class="layui-flow-more"><a href="javascript:;"><cite>加载更多</cite></a></div>`},
		{name: "uni-app", language: "zh", markup: `<div class="uni-load-more"><span class="uni-load-more__text">上拉显示更多</span></div>`},
		{name: "Naive UI", markup: `<div class="n-pagination"><div class="n-pagination-item n-pagination-item--button n-pagination-item--disabled"><i class="n-base-icon"></i></div>{{range .Pages}}<div class="n-pagination-item{{if .Current}} n-pagination-item--active{{end}} n-pagination-item--clickable">{{.N}}</div>{{end}}<div class="n-pagination-item n-pagination-item--button"><i class="n-base-icon"></i></div></div>`},
		{name: "Mantine", markup: `<div class="mantine-Pagination-root"><div class="mantine-Group-root"><button class="mantine-UnstyledButton-root mantine-Pagination-control" type="button" disabled><svg></svg></button>{{range .Pages}}<button class="mantine-UnstyledButton-root mantine-Pagination-control" type="button"{{if .Current}} data-active="true" aria-current="page"{{end}}>{{.N}}</button>{{end}}<button class="mantine-UnstyledButton-root mantine-Pagination-control" type="button"><svg></svg></button></div></div>`},
		{name: "HeroUI", markup: `<nav role="navigation" aria-label="pagination navigation" data-slot="base" data-total="3" data-active-page="1"><ul data-slot="wrapper">{{range .Pages}}<li tabindex="0" role="button" aria-label="pagination item {{.N}}{{if .Current}} active{{end}}" data-slot="item"{{if .Current}} aria-current="true" data-active="true"{{end}}>{{.N}}</li>{{end}}<li role="button" aria-label="next page button" data-slot="next"><svg></svg></li></ul></nav>`},
		{name: "Polaris", markup: `<nav aria-label="Pagination" class="Polaris-Pagination"><div class="Polaris-ButtonGroup"><button id="previousURL" class="Polaris-Button Polaris-Button--disabled" aria-label="Previous" aria-disabled="true" type="button"></button><button id="nextURL" class="Polaris-Button Polaris-Button--iconOnly" aria-label="Next" type="button"><span class="Polaris-Icon"></span></button></div></nav>`},
		{name: "PatternFly", markup: `<div class="pf-v5-c-pagination pf-m-bottom"><div class="pf-v5-c-pagination__page-menu"><button class="pf-v5-c-menu-toggle" aria-haspopup="listbox"><b>{{.From}} - {{.To}}</b> of <b>{{.Total}}</b></button></div><nav class="pf-v5-c-pagination__nav" aria-label="Pagination"><input aria-label="Current page" type="number" min="1" max="3" value="1"><span aria-hidden="true">of {{.Of}}</span><button class="pf-v5-c-button pf-m-plain" aria-label="Go to next page"><svg></svg></button></nav></div>`},
		{name: "daisyUI, page with arrows", markup: `<div class="join"><button class="join-item btn">«</button><button class="join-item btn">Page {{.N}}</button><button class="join-item btn">»</button></div>`},
		{name: "Flowbite", markup: `<div class="flex flex-col items-center"><span class="text-sm">Showing <span class="font-semibold">{{.From}}</span> to <span class="font-semibold">{{.To}}</span> of <span class="font-semibold">{{.Total}}</span> Entries</span><div class="inline-flex"><button class="rounded-s">Prev</button><button class="rounded-e">Next</button></div></div>`},
		{name: "OutSystems", markup: `<div class="pagination" role="navigation" aria-label="Pagination"><div class="pagination-counter"><span>{{.From}}</span><span> to </span><span>{{.To}}</span><span> of </span><span>{{.Total}}</span><span> items</span></div><div class="pagination-container"><button class="pagination-button" type="button" aria-label="go to next page"><i class="icon fa fa-angle-right"></i></button></div></div>`},
		{name: "Mendix", markup: `<button class="btn mx-button mx-listview-loadMore" type="button">Load more...</button>`},
		{name: "Power Pages", markup: `<div class="view-pagination" data-pages="3" data-pagesize="8" data-current-page="1"></div>`},
		{name: "Wappler", markup: `<ul class="pagination" dmx-populated="true" dmx-generator="bs5paging">{{range .Pages}}<li class="page-item{{if .Current}} active{{end}}"><a href="#" class="page-link" dmx-on:click.prevent="query.set('offset',({{.N}}-1)*8)">{{.N}}</a></li>{{end}}<li class="page-item"><a href="#" class="page-link" aria-label="Next"><span aria-hidden="true">&rsaquo;</span></a></li></ul>`},
		{name: "RichFaces", markup: `<span class="rf-ds" id="ds"><span class="rf-ds-btn rf-ds-btn-prev rf-ds-dis">«</span>{{range .Pages}}{{if .Current}}<span class="rf-ds-nmb-btn rf-ds-act">{{.N}}</span>{{else}}<a class="rf-ds-nmb-btn" href="javascript:void(0);">{{.N}}</a>{{end}}{{end}}<a class="rf-ds-btn rf-ds-btn-next" href="javascript:void(0);">»</a></span>`},
		{name: "ZK", markup: `<div class="z-paging"><ul><li><a class="z-paging-button z-paging-next" href="javascript:;" name="p-next"><i class="z-icon-angle-right"></i></a></li></ul><div class="z-paging-info"><span>[ {{.From}} - {{.To}} / {{.Total}} ]</span></div></div>`},
		{name: "Visualforce", markup: `<form method="post" action="/jobs"><input type="hidden" name="com.salesforce.visualforce.ViewState" value="x"><a href="#" onclick="A4J.AJAX.Submit('f',event,{'similarityGroupingId':'f:next'});return false;">Next</a></form>`},
		{name: "ASP.NET GridView, an arrow", around: `<form method="post" action="./jobs"><input type="hidden" name="__VIEWSTATE" value="x">%s`, markup: `<table><tr><td><a href="javascript:__doPostBack('ctl00$Grid','Page$Next')">&gt;</a></td></tr></table></form>`},
		{name: "ASP.NET, a link that is a picture", around: `<form method="post" action="./jobs"><input type="hidden" name="__VIEWSTATE" value="x">%s`, markup: `<a id="ctl00_lnkNext" class="fa fa-chevron-right" href="javascript:__doPostBack('ctl00$lnkNext','')"></a></form>`},
		{name: "a form that a link sends", markup: `<form name="pf" method="post" action="/jobs"><input type="hidden" name="page" value="1"></form><a href="javascript:document.pf.page.value=2;document.pf.submit();">Next</a>`},
		{name: "numbers that send a form", markup: `<form id="pf" method="post" action="/jobs"><input type="hidden" name="page" value="1">{{range .Pages}}<button type="submit" name="page" value="{{.N}}"{{if .Current}} class="active"{{end}}>{{.N}}</button>{{end}}</form>`},
		{name: "an arrow with an order for its button", markup: `<button type="button" class="js-load" data-page="2" data-url="/api/jobs"><svg></svg></button>`},
		{name: "a pager for readers of screens", language: "de", markup: `<nav aria-label="Seitennavigation"><button type="button" disabled>‹</button><button type="button">›</button></nav>`},
		{name: "a pager that says where it stands", markup: `<nav role="navigation" aria-label="Page {{.N}} of {{.Of}}"><button type="button" aria-label="Next"><svg></svg></button></nav>`},
		{name: "Arabic digits by script", language: "ar", markup: `<ul class="pagination"><li class="active"><a href="#">١</a></li><li><a href="#">٢</a></li><li><a href="#">٣</a></li></ul>`},
		{name: "page ١ of ٣", language: "ar", markup: `<p>صفحة ١ من ٣</p>`},
		{name: "digits of full width", language: "ja", markup: `<p>１／３ページ</p>`},
		{name: "sixteen more", markup: `<p>+ 16 more jobs</p>`},
		{name: "and sixteen more", markup: `<p>… and 16 more positions</p>`},
		{name: "sixteen more, German", language: "de", markup: `<p>Noch 16 weitere Stellen</p>`},
		{name: "eight out of 24", markup: `<p>Displaying 8 out of {{.Total}}</p>`},
		{name: "the first eight of 24", markup: `<p>First 8 of {{.Total}} positions</p>`},
		{name: "you have seen eight", markup: `<p>You have seen 8 of {{.Total}} openings</p>`},
		{name: "tabs whose panels are empty", around: `<div role="tablist"><button role="tab" aria-selected="true" aria-controls="p1">Plant</button><button role="tab" aria-selected="false" aria-controls="p2">Office</button></div><div role="tabpanel" id="p1">%s</div><div role="tabpanel" id="p2"></div>`},
		{name: "a Strapi answer for its script", markup: `<script id="__DATA__" type="application/json">{"props":{"pageProps":{"meta":{"pagination":{"page":1,"pageSize":8,"pageCount":3,"total":24}}}}}</script>`},
		{name: "a Contentful answer for its script", markup: `<script id="__DATA__" type="application/json">{"props":{"pageProps":{"jobs":{"total":24,"skip":0,"limit":8,"items":[]}}}}</script>`},
		{name: "Inertia, a paginator", around: `<div id="app" data-page="{&quot;component&quot;:&quot;Jobs&quot;,&quot;props&quot;:{&quot;jobs&quot;:{&quot;data&quot;:[],&quot;meta&quot;:{&quot;current_page&quot;:1,&quot;last_page&quot;:3,&quot;per_page&quot;:8,&quot;total&quot;:24}}},&quot;url&quot;:&quot;/jobs&quot;}">%s</div>`},
		{name: "a component with its pages as attributes", markup: `<job-pager current-page="1" last-page="3"></job-pager>`},
		{name: "an observed end", markup: `<div class="intersection-observer-target" style="height:1px"></div>`},
		{name: "a sentinel by its class", markup: `<div class="js-sentinel" aria-hidden="true"></div>`},
		{name: "Angular, a button", markup: `<button mat-stroked-button type="button" class="mdc-button"><span class="mdc-button__label">Load more jobs</span></button>`},
		{name: "a summary that loads", markup: `<a role="button" href="#more-jobs">View more openings</a>`},
		{name: "a button with a count", markup: `<button type="button">Show 16 more</button>`},
		{name: "a button that shows the next eight", markup: `<button type="button">Show next 8</button>`},
		{name: "a button in a shadow", markup: `<job-more><template shadowrootmode="open"><button>Load more</button></template></job-more>`},
		{name: "a plus that says what it does", markup: `<button type="button" aria-label="Load more jobs">+</button>`},
		{name: "scrolling that only its script tells", markup: `<script>var loadmore_params = {"ajaxurl":"\/wp-admin\/admin-ajax.php","posts":"{\"post_type\":\"job\",\"posts_per_page\":8}","current_page":"1","max_page":"3"};</script>`},
		{name: "Ajax Load More, before its script ran", around: `<div id="ajax-load-more" class="ajax-load-more-wrap default"><div class="alm-listing alm-ajax" data-repeater="default" data-post-type="job" data-posts-per-page="8" data-scroll="true" data-preloaded="true">%s</div></div>`},
		{name: "numbers of two digits", markup: `<div class="pages"><span class="active">01</span><button>02</button><button>03</button></div>`},
		{name: "a button that keeps on", markup: `<button type="button" class="jobs__more">Show additional roles</button>`},
	}
	for i := range forms {
		forms[i].script = true
	}
	return forms
}

// pagersByLanguage are what a script's pager says in many languages: that there is a next page, more to load, a page of three, and
// some of 24.
func pagersByLanguage() []pagerForm {
	var forms []pagerForm
	for _, s := range []struct{ language, next, more, page, of string }{
		{"de", "Nächste Seite", "Weitere Stellen anzeigen", "Seite 1 von 3", "1–8 von 24"},
		{"fr", "Page suivante", "Voir plus d'offres", "Page 1 sur 3", "1 - 8 sur 24"},
		{"es", "Página siguiente", "Cargar más", "Página 1 de 3", "1 a 8 de 24"},
		{"it", "Pagina successiva", "Carica altri", "Pagina 1 di 3", "1–8 di 24"},
		{"pt", "Próxima página", "Carregar mais", "Página 1 de 3", "1 a 8 de 24"},
		{"nl", "Volgende pagina", "Toon meer vacatures", "Pagina 1 van 3", "1-8 van 24"},
		{"pl", "Następna strona", "Załaduj więcej", "Strona 1 z 3", "1–8 z 24"},
		{"cs", "Další stránka", "Načíst další", "Strana 1 z 3", "1–8 z 24"},
		{"sk", "Ďalšia strana", "Načítať ďalšie", "Strana 1 z 3", "1–8 z 24"},
		{"sl", "Naslednja stran", "Prikaži več", "Stran 1 od 3", "1–8 od 24"},
		{"hr", "Sljedeća stranica", "Učitaj više", "Stranica 1 od 3", "1–8 od 24"},
		{"hu", "Következő oldal", "Több betöltése", "1. oldal, összesen 3", "1–8 / 24"},
		{"ro", "Pagina următoare", "Încarcă mai multe", "Pagina 1 din 3", "1–8 din 24"},
		{"bg", "Следваща страница", "Зареди още", "Страница 1 от 3", "1–8 от 24"},
		{"ru", "Следующая страница", "Загрузить ещё", "Страница 1 из 3", "1–8 из 24"},
		{"uk", "Наступна сторінка", "Показати ще", "Сторінка 1 з 3", "1–8 з 24"},
		{"el", "Επόμενη σελίδα", "Φόρτωση περισσότερων", "Σελίδα 1 από 3", "1–8 από 24"},
		{"tr", "Sonraki sayfa", "Daha fazla göster", "Sayfa 1 / 3", "24 kayıttan 1-8 arası"},
		{"sv", "Nästa sida", "Visa fler", "Sida 1 av 3", "1–8 av 24"},
		{"da", "Næste side", "Vis flere", "Side 1 af 3", "1–8 af 24"},
		{"no", "Neste side", "Last inn flere", "Side 1 av 3", "1–8 av 24"},
		{"fi", "Seuraava sivu", "Näytä lisää", "Sivu 1/3", "1–8 / 24"},
		{"et", "Järgmine lehekülg", "Näita rohkem", "Lehekülg 1 / 3", "1–8 / 24"},
		{"lv", "Nākamā lapa", "Rādīt vairāk", "1. lapa no 3", "1–8 no 24"},
		{"lt", "Kitas puslapis", "Rodyti daugiau", "1 puslapis iš 3", "1–8 iš 24"},
		{"ca", "Pàgina següent", "Carrega'n més", "Pàgina 1 de 3", "1-8 de 24"},
		{"ja", "次のページ", "さらに読み込む", "1 / 3 ページ", "24件中 1-8件"},
		{"ko", "다음 페이지", "더 불러오기", "3페이지 중 1페이지", "총 24개 중 1-8"},
		{"zh", "下一頁", "載入更多", "第 1 頁，共 3 頁", "第 1-8 条，共 24 条"},
		{"vi", "Trang sau", "Xem thêm", "Trang 1 / 3", "1-8 trong số 24"},
		{"th", "หน้าถัดไป", "โหลดเพิ่มเติม", "หน้า 1 จาก 3", "1-8 จาก 24"},
		{"id", "Halaman berikutnya", "Muat lebih banyak", "Halaman 1 dari 3", "1-8 dari 24"},
		{"ar", "الصفحة التالية", "تحميل المزيد", "صفحة 1 من 3", "1-8 من 24"},
		{"he", "העמוד הבא", "טען עוד", "עמוד 1 מתוך 3", "1-8 מתוך 24"},
	} {
		forms = append(forms,
			pagerForm{name: "next in " + s.language, markup: `<nav class="pagination"><button type="button" aria-label="` + s.next + `"><svg></svg></button></nav>`},
			pagerForm{name: "next in words in " + s.language, markup: `<button type="button">` + s.next + `</button>`},
			pagerForm{name: "more in " + s.language, markup: `<button type="button">` + s.more + `</button>`},
			pagerForm{name: "page 1 of 3 in " + s.language, markup: `<p>` + s.page + `</p>`},
			pagerForm{name: "1 to 8 of 24 in " + s.language, markup: `<div class="range">` + s.of + `</div>`},
		)
		for i := len(forms) - 5; i < len(forms); i++ {
			forms[i].language, forms[i].script = s.language, true
		}
	}
	return forms
}

// lastPages are the pagers of libraries on the only page of a list: what leads on is switched off.
func lastPages() map[string]string {
	return map[string]string{
		"MUI":                                    `<nav aria-label="pagination navigation"><ul class="MuiPagination-ul"><li><button class="MuiPaginationItem-root Mui-selected" type="button" aria-current="page" aria-label="page 1">1</button></li><li><button class="MuiPaginationItem-root Mui-disabled" tabindex="-1" disabled type="button" aria-label="Go to next page"><svg></svg></button></li></ul></nav>`,
		"Ant Design":                             `<ul class="ant-pagination"><li title="1" class="ant-pagination-item ant-pagination-item-1 ant-pagination-item-active" tabindex="0"><a rel="nofollow">1</a></li><li title="Next Page" class="ant-pagination-next ant-pagination-disabled" aria-disabled="true"><button class="ant-pagination-item-link" type="button" tabindex="-1" disabled></button></li></ul>`,
		"Vuetify":                                `<nav class="v-pagination" role="navigation"><ul class="v-pagination__list"><li class="v-pagination__item v-pagination__item--is-active"><button type="button" aria-label="Page 1, Current page">1</button></li><li class="v-pagination__next"><button type="button" disabled aria-disabled="true" aria-label="Next page"></button></li></ul></nav>`,
		"Element":                                `<div class="el-pagination"><span class="el-pagination__total">Total 8</span><button type="button" class="btn-prev" disabled></button><ul class="el-pager"><li class="number active">1</li></ul><button type="button" class="btn-next" disabled="disabled"><i class="el-icon-arrow-right"></i></button></div>`,
		"PrimeNG":                                `<div class="p-paginator"><span class="p-paginator-pages"><button type="button" class="p-paginator-page p-link p-highlight">1</button></span><button type="button" disabled class="p-paginator-next p-link p-disabled"><span class="pi pi-angle-right"></span></button></div>`,
		"Semantic UI":                            `<div class="ui pagination menu"><a class="active item">1</a><a class="disabled item" aria-label="Next item">⟩</a></div>`,
		"UIkit":                                  `<ul class="uk-pagination"><li class="uk-active"><span>1</span></li><li class="uk-disabled"><a href="#"><span uk-pagination-next></span></a></li></ul>`,
		"Kendo":                                  `<div class="k-pager-wrap"><ul class="k-pager-numbers"><li><span class="k-state-selected">1</span></li></ul><a href="#" title="Go to the next page" class="k-link k-pager-nav k-state-disabled"><span class="k-icon k-i-arrow-e"></span></a><span class="k-pager-info">1 - 8 of 8 items</span></div>`,
		"DataTables":                             `<div class="dataTables_info">Showing 1 to 8 of 8 entries</div><div class="dataTables_paginate"><a class="paginate_button previous disabled" data-dt-idx="0">Previous</a><span><a class="paginate_button current" data-dt-idx="1">1</a></span><a class="paginate_button next disabled" data-dt-idx="2" tabindex="-1">Next</a></div>`,
		"ag-Grid":                                `<div class="ag-paging-panel"><span class="ag-paging-row-summary-panel">1 to 8 of 8</span><div class="ag-button ag-paging-button ag-disabled" role="button" aria-disabled="true" aria-label="Next Page"><span class="ag-icon ag-icon-next"></span></div></div>`,
		"PrimeFaces":                             `<div class="ui-paginator"><span class="ui-paginator-pages"><a class="ui-paginator-page ui-state-default ui-state-active" href="#">1</a></span><a href="#" class="ui-paginator-next ui-state-default ui-state-disabled" aria-label="Next Page" tabindex="-1"><span class="ui-icon ui-icon-seek-next">N</span></a></div>`,
		"RichFaces":                              `<span class="rf-ds"><span class="rf-ds-nmb-btn rf-ds-act">1</span><span class="rf-ds-btn rf-ds-btn-next rf-ds-dis">»</span></span>`,
		"ExtJS":                                  `<div class="x-toolbar x-pagingtoolbar"><a class="x-btn x-item-disabled x-btn-disabled" role="button" aria-disabled="true" aria-label="Next Page"><span class="x-tbar-page-next"></span></a><div>Displaying 1 - 8 of 8</div></div>`,
		"ng-bootstrap":                           `<ul class="pagination"><li class="page-item active" aria-current="page"><a class="page-link" href="">1</a></li><li class="page-item disabled"><a aria-label="Next" class="page-link" href="" tabindex="-1" aria-disabled="true">»</a></li></ul>`,
		"ngx-pagination":                         `<ul class="ngx-pagination"><li class="pagination-previous disabled"><span>Previous</span></li><li class="current"><span class="show-for-sr">You're on page </span><span>1</span></li><li class="pagination-next disabled"><span>Next <span class="show-for-sr">page</span></span></li></ul>`,
		"Naive UI":                               `<div class="n-pagination"><div class="n-pagination-item n-pagination-item--active n-pagination-item--clickable">1</div><div class="n-pagination-item n-pagination-item--button n-pagination-item--disabled"><i class="n-base-icon"></i></div></div>`,
		"Tailwind":                               `<nav aria-label="Pagination"><span class="pointer-events-none opacity-50">Previous</span><span aria-current="page">1</span><a class="pointer-events-none opacity-50" aria-disabled="true">Next</a></nav>`,
		"Tailwind, a button that takes no press": `<div><button type="button" class="cursor-not-allowed opacity-50" disabled>Next</button></div>`,
		"Polaris":                                `<nav aria-label="Pagination" class="Polaris-Pagination"><button class="Polaris-Button Polaris-Button--disabled" aria-label="Next" aria-disabled="true" type="button"></button></nav>`,
		"Telerik":                                `<div class="rgWrap"><input type="submit" name="ctl00$next" value=" " onclick="return false;" title="Next Page" class="rgPageNext" disabled></div>`,
		"Webflow":                                `<div role="navigation" aria-label="List" class="w-pagination-wrapper"></div>`,
		"a BEM name":                             `<div class="pager"><a class="pager__link pager__link--disabled" href="#">Next</a></div>`,
		"a state class":                          `<div class="pager"><button class="pager__next is-disabled">Next</button></div>`,
		"InstantSearch":                          `<div class="ais-InfiniteHits"><button class="ais-InfiniteHits-loadMore ais-InfiniteHits-loadMore--disabled" disabled>Show more results</button></div>`,
	}
}

// wideWholes are whole lists beside what these forms must not be taken for.
func wideWholes() map[string]wholeShape {
	shapes := map[string]wholeShape{
		"jPList before its script ran":              {below: `<div class="jplist-panel"><div class="jplist-pagination" data-control-type="pagination" data-control-name="paging" data-control-action="paging" data-items-per-page="5"></div></div>`},
		"MixItUp before its script ran":             {below: `<div class="mixitup-page-list"></div><div class="mixitup-page-stats"></div>`},
		"bootstrap-table of the page itself":        {around: `<div data-toggle="table" data-pagination="true" data-page-size="10" data-page-list="[10, 25, 50]" data-side-pagination="client">%s</div>`},
		"DataTables of the page itself":             {around: `<div class="display" data-page-length="10" data-paging="true" data-order='[[0,"asc"]]'>%s</div>`},
		"FooTable of the page itself":               {around: `<div data-paging="true" data-paging-size="10" data-filtering="true">%s</div>`},
		"an empty pager of List.js":                 {below: `<ul class="pagination"></ul>`},
		"Isotope's filters":                         {above: `<div class="button-group filters-button-group"><button class="button is-checked" data-filter="*">show all</button><button class="button" data-filter=".plant">plant</button></div>`},
		"a template for its script":                 {below: `<script type="text/template" id="pager"><button class="next">Load more</button></script><template><nav class="pagination"><a href="?page=2">Next</a></nav></template>`},
		"a button of a class that hides":            {below: `<button class="load-more d-none">Load more</button>`},
		"a button of Tailwind's class that hides":   {below: `<button class="hidden btn">Load more</button>`},
		"a link of the plug-in that hides":          {below: `<a class="load_more_jobs" href="#" style="display:none;"><strong>Load more listings</strong></a>`},
		"pictures with a pager of their own":        {below: `<section><h2>Impressions</h2><div class="row"><img src="/a.jpg" alt="Hall"><img src="/b.jpg" alt="Yard"><img src="/c.jpg" alt="Gate"></div><ul class="pagination"><li class="active"><a href="#">1</a></li><li><a href="#">2</a></li></ul></section>`},
		"awards with a pager of their own":          {below: `<section><h2>Awards</h2><ul><li>Best bakery</li><li>Best oven</li><li>Best crust</li></ul><div class="pagination"><button class="active">1</button><button>2</button><button aria-label="Next page">›</button></div></section>`},
		"stories that go on":                        {below: `<section><h2>Stories of our people</h2><article><h3>Anna bakes</h3><p>Every morning at four.</p></article><article><h3>Ben drives</h3><p>He knows each street.</p></article><button type="button">Load more</button></section>`},
		"comments that go on":                       {below: `<section id="comments"><h2>Comments</h2><ol><li><p>Nice place.</p></li><li><p>I agree.</p></li></ol><button type="button">Load more comments</button></section>`},
		"a breadcrumb of arrows":                    {above: `<ol class="breadcrumb"><li><a href="/">Home</a></li><li><i class="fa fa-angle-right"></i></li><li><a href="/company">Company</a></li><li><i class="fa fa-angle-right"></i></li><li>Jobs</li></ol>`},
		"the page next to this one":                 {below: `<nav class="prev-next"><a rel="prev" href="/culture">‹ Culture</a><a rel="next" href="/benefits">Benefits ›</a></nav>`},
		"how many, by links":                        {above: `<p>Show: <a href="?per_page=8">8</a> <a href="?per_page=16">16</a> <a href="?per_page=24">24</a></p>`},
		"how it is shown":                           {above: `<p><a href="?view=grid" class="active" title="Grid"></a><a href="?view=list" title="List"></a></p>`},
		"tabs with all of them":                     {above: `<ul class="nav nav-tabs"><li class="nav-item"><a class="nav-link active" href="/jobs">All</a></li><li class="nav-item"><a class="nav-link" href="?team=plant">Plant</a></li><li class="nav-item"><a class="nav-link" href="?team=office">Office</a></li></ul>`},
		"letters with all of them":                  {above: `<ul class="az"><li class="active"><a href="/jobs">All</a></li><li><a href="?letter=a">A</a></li><li><a href="?letter=b">B</a></li></ul>`},
		"letters that lead down the page":           {above: `<p><a href="#a">A</a> <a href="#b">B</a> <a href="#c">C</a></p>`},
		"tabs of other matter":                      {below: `<div role="tablist"><button role="tab" aria-selected="true" aria-controls="t1">Benefits</button><button role="tab" aria-selected="false" aria-controls="t2">Culture</button></div><div role="tabpanel" id="t1"><p>We eat together.</p></div><div role="tabpanel" id="t2"><p>We talk.</p></div>`},
		"panels that fold":                          {below: `<div class="accordion"><button class="accordion-button collapsed" aria-expanded="false" data-bs-toggle="collapse">More about our teams</button><div class="accordion-collapse collapse"><p>They are kind.</p></div></div>`},
		"a form that is sent in steps":              {below: `<form method="post" action="/apply"><div class="step">1</div><div class="step">2</div><input type="text" name="n"><button type="submit">Next</button></form>`},
		"the end is reached":                        {below: `<p class="end">You have reached the end of the list</p>`},
		"no more of them, in German":                {below: `<p>Keine weiteren Stellen</p>`},
		"nothing more by data":                      {below: `<div class="js-list" data-next-page="" data-next-url="" data-max-pages="1" data-has-more="false"></div>`},
		"a progress of something else":              {below: `<h2>Our fund</h2><p>We have planted trees.</p><progress value="8" max="24"></progress>`},
		"a progress of the application":             {above: `<div class="progress" role="progressbar" aria-valuenow="8" aria-valuemax="24"></div>`},
		"an address of the news that is prefetched": {head: `<link rel="prefetch" href="/news?page=2"><link rel="prerender" href="/about">`},
		"a Strapi answer of one page":               {below: `<script type="application/json">{"meta":{"pagination":{"page":1,"pageSize":8,"pageCount":1,"total":8}}}</script>`},
		"an answer about the news":                  {below: `<script type="application/json">{"news":{"total":24,"skip":0,"limit":3,"items":[]}}</script>`},
		"chat":                                      {below: `</main><div class="chat-widget"><p>Hi there</p><button>Next</button></div><main>`},
		"a countdown":                               {below: `<p>Fair: day 1 of 3</p>`},
		"more of the same company":                  {below: `<p>And 16 more reasons to join us</p>`},
		"an open application":                       {below: `<p>Nothing for you? <a href="/jobs/apply?next=1">Apply anyway →</a></p>`},
		"partners that go on":                       {below: `<section><h2>Our partners</h2><ul><li><img src="/p1.png" alt="Oven Works"></li><li><img src="/p2.png" alt="Flour Mill"></li></ul><a href="#" class="load-more">Load more</a></section>`},
	}
	for name, below := range lastPages() {
		shapes["the only page of "+name] = wholeShape{below: below}
	}
	return shapes
}
