package scraper_test

// furtherPagers are forms of themes, systems and libraries that were written down before the reading was tried on them.
func furtherPagers() []pagerForm {
	return append(furtherAddresses(), furtherScripts()...)
}

// furtherAddresses lead on by addresses.
func furtherAddresses() []pagerForm {
	return []pagerForm{
		{name: "OceanWP, infinite", at: "/page/%d/", markup: `<div class="scroller-status"><div class="loader-ellips infinite-scroll-request"><span class="loader-ellips__dot"></span></div><p class="scroller-status__message infinite-scroll-last">End of content</p></div>{{if .Next}}<div class="infinite-scroll-nav clr"><div class="alignleft newer-posts"><a href="{{.Next}}">Older Posts</a></div></div>{{end}}`},
		{name: "Kadence", at: "/page/%d/", markup: `<nav class="navigation pagination" aria-label="Page navigation"><h2 class="screen-reader-text">Page navigation</h2><div class="nav-links">{{range .Pages}}{{if .Current}}<span aria-current="page" class="page-numbers current">{{.N}}</span>{{else}}<a class="page-numbers" href="{{.URL}}">{{.N}}</a>{{end}}{{end}}{{if .Next}}<a class="next page-numbers" href="{{.Next}}"><span class="screen-reader-text">Next Page</span><span class="kadence-svg-iconset"><svg></svg></span></a>{{end}}</div></nav>`},
		{name: "Enfold", at: "/page/%d/", language: "de", markup: `<nav class="pagination"><span class="pagination-meta">Seite {{.N}} von {{.Of}}</span>{{range .Pages}}{{if .Current}}<span class="current">{{.N}}</span>{{else}}<a href="{{.URL}}" class="inactive">{{.N}}</a>{{end}}{{end}}</nav>`},
		{name: "Salient", at: "/page/%d/", markup: `<div id="pagination" data-is-text="All items loaded">{{if .Next}}<div class="next"><a href="{{.Next}}">Next Entries</a></div>{{end}}</div>`},
		{name: "BeTheme", at: "/page/%d/", markup: `{{if .Next}}<div class="column one pager_wrapper pager_lm"><a class="pager_load_more button button_js" href="{{.Next}}"><span class="button_icon"><i class="icon-layout"></i></span><span class="button_label">Load more</span></a></div>{{end}}`},
		{name: "Elementor, loop by scrolling", at: "/page/%d/", markup: `{{if .Next}}<div class="e-load-more-anchor" data-page="{{.N}}" data-max-page="{{.Of}}" data-next-page="{{.Next}}"></div>{{end}}`},
		{name: "Kaminari, link to the next page", markup: `{{if .Next}}<a rel="next" href="{{.Next}}">More</a>{{end}}`},
		{name: "Pagy, by its script", markup: `{{if .Next}}<nav class="pagy-bootstrap nav-js" aria-label="Pages" data-pagy="WyJuaiIsWyI8YSBocmVmPVwiL2pvYnM/cGFnZT0{{if eq .NextN 2}}y{{else}}z{{end}}XCIgcmVsPVwibmV4dFwiPiZndDs8L2E+Il1d"></nav>{{end}}`},
		{name: "Joomla, K2", step: pagerSize, at: "?start=%d", markup: `<div class="k2Pagination"><div class="k2PaginationLinks"><ul>{{range .Pages}}<li>{{if .Current}}<span class="pagenav">{{.N}}</span>{{else}}<a class="pagenav" href="{{.URL}}">{{.N}}</a>{{end}}</li>{{end}}</ul></div><div class="k2PaginationCounter">Page {{.N}} of {{.Of}}</div></div>`},
		{name: "TYPO3, solr", language: "de", at: "?tx_solr%%5Bpage%%5D=%d", markup: `<div class="solr-pagination"><ul class="pagination">{{range .Pages}}{{if .Current}}<li class="active"><span>{{.N}}</span></li>{{else}}<li><a class="solr-ajaxified" href="{{.URL}}">{{.N}}</a></li>{{end}}{{end}}</ul></div>`},
		{name: "Squarespace, older", at: "?offset=169000000000%d", markup: `{{if .Next}}<div class="blog-list-pagination"><a class="blog-list-pagination-link" rel="next" href="{{.Next}}"><span class="blog-list-pagination-icon"><svg></svg></span><span>Older Posts</span></a></div>{{end}}`},
		{name: "htmx, as soon as it is there", markup: `{{if .Next}}<div hx-get="{{.Next}}" hx-trigger="load delay:500ms" hx-swap="outerHTML"></div>{{end}}`},
		{name: "Django, a button of infinite scrolling", markup: `{{if .Next}}<a class="infinite-more-link btn" href="{{.Next}}">Show more</a>{{end}}<div class="d-flex loading" style="display:none"><div class="spinner-border"></div></div>`},
		{name: "ASP.NET Core, buttons", at: "?pageNumber=%d", markup: `<a class="btn btn-default {{if not .Prev}}disabled{{end}}" href="{{if .Prev}}{{.Prev}}{{else}}?pageNumber=0{{end}}">Previous</a><a class="btn btn-default {{if not .Next}}disabled{{end}}" href="{{if .Next}}{{.Next}}{{else}}?pageNumber=4{{end}}">Next</a>`},
		{name: "Spring, a fragment", zero: true, markup: `<div class="pagination-container">{{if .Next}}<span><a href="{{.Next}}" title="Go to next page" class="fa fa-step-forward"></a></span>{{end}}</div>`},
		{name: "Hugo, terse", at: "/page/%d/", markup: `<ul class="pagination pagination-terse">{{if .Next}}<li class="page-item"><a href="{{.Next}}" aria-label="Next" class="page-link" role="button"><span aria-hidden="true">&rsaquo;</span></a></li>{{end}}</ul>`},
		{name: "Astro", at: "/%d", markup: `{{if .Prev}}<a href="{{.Prev}}">Previous Page</a>{{end}}{{if .Next}}<a href="{{.Next}}">Next Page</a>{{end}}`},
		{name: "Next, a cursor", at: "?after=c%d", markup: `{{if .Next}}<a class="btn" href="{{.Next}}">Load more jobs</a>{{end}}`},
		{name: "below a heading, in the list's box", markup: `<h2>Nothing for you?</h2><p>Write to us all the same.</p>{{if .Next}}<a class="btn" href="{{.Next}}">Load more</a>{{end}}`},
	}
}

// furtherScripts lead on by scripts.
func furtherScripts() []pagerForm {
	forms := []pagerForm{
		{name: "Astra, infinite", markup: `<nav class="ast-pagination-infinite"><div class="ast-loader"><div class="ast-loader-1"></div></div><span class="ast-load-more active">Load More</span></nav>`},
		{name: "Jetpack, infinite", markup: `<div id="infinite-handle"><span><button>Older posts</button></span></div>`},
		{name: "Beaver Builder", markup: `<div class="fl-builder-pagination-load-more"><div class="fl-button-wrap"><a href="#" class="fl-button"><span class="fl-button-text">Load More</span></a></div></div>`},
		{name: "The7", markup: `<div class="paginator paginator-more-button with-ajax"><a class="button-load-more highlighted" href="javascript:void(0);" data-dt-page="1"><span class="stick"></span><span class="button-caption">Load more</span></a></div>`},
		{name: "tagDiv, arrows", markup: `<div class="td-next-prev-wrap"><a href="#" class="td-ajax-prev-page ajax-page-disabled" aria-label="prev-page"><i class="td-icon-menu-left"></i></a><a href="#" class="td-ajax-next-page" aria-label="next-page"><i class="td-icon-menu-right"></i></a></div>`},
		{name: "Jetboost", markup: `<div class="jetboost-pagination-wrap"><a href="#" class="jetboost-pagination-next-x1 w-inline-block"><div>Next</div></a></div>`},
		{name: "Framer", markup: `<div class="framer-1xk-container"><div class="framer-aB3 framer-v-1k" tabindex="0" data-framer-name="Default" data-highlight="true"><div class="framer-2l"><p class="framer-text">Load More</p></div></div></div>`},
		{name: "Wix, gallery", markup: `<div class="show-more-container"><button tabindex="0" class="show-more" data-hook="show-more">Load More</button></div>`},
		{name: "ngx-pagination", markup: `<ul role="navigation" class="ngx-pagination" aria-label="Pagination"><li class="pagination-previous disabled"><span>Previous</span></li>{{range .Pages}}{{if .Current}}<li class="current"><span class="show-for-sr">You're on page </span><span>{{.N}}</span></li>{{else}}<li><a tabindex="0"><span class="show-for-sr">page </span><span>{{.N}}</span></a></li>{{end}}{{end}}<li class="pagination-next"><a tabindex="0">Next <span class="show-for-sr">page</span></a></li></ul>`},
		{name: "ng-bootstrap", markup: `<ngb-pagination role="navigation"><ul class="pagination">{{range .Pages}}<li class="page-item{{if .Current}} active{{end}}"{{if .Current}} aria-current="page"{{end}}><a class="page-link" href="">{{.N}}</a></li>{{end}}<li class="page-item"><a aria-label="Next" class="page-link" href=""><span aria-hidden="true">»</span></a></li></ul></ngb-pagination>`},
		{name: "BootstrapVue", markup: `<ul role="menubar" aria-disabled="false" aria-label="Pagination" class="pagination b-pagination">{{range .Pages}}<li role="presentation" class="page-item{{if .Current}} active{{end}}"><button role="menuitemradio" type="button" aria-label="Go to page {{.N}}" aria-checked="{{.Current}}" class="page-link">{{.N}}</button></li>{{end}}<li role="presentation" class="page-item"><button role="menuitem" type="button" aria-label="Go to next page" class="page-link">›</button></li></ul>`},
		{name: "Ant Design, simple", markup: `<ul class="ant-pagination ant-pagination-simple"><li title="Previous Page" class="ant-pagination-prev ant-pagination-disabled" aria-disabled="true"><button class="ant-pagination-item-link" type="button" disabled><span role="img" aria-label="left"></span></button></li><li title="{{.N}}/{{.Of}}" class="ant-pagination-simple-pager"><input type="text" value="{{.N}}" size="3"><span class="ant-pagination-slash">/</span>{{.Of}}</li><li title="Next Page" tabindex="0" class="ant-pagination-next"><button class="ant-pagination-item-link" type="button"><span role="img" aria-label="right"></span></button></li></ul>`},
		{name: "Vuetify, scrolling", markup: `<div class="v-infinite-scroll v-infinite-scroll--vertical"><div class="v-infinite-scroll__side"><div class="v-progress-circular v-progress-circular--indeterminate" role="progressbar"></div></div></div>`},
		{name: "Preline", markup: `<nav class="flex items-center gap-x-1" aria-label="Pagination"><button type="button" aria-label="Previous" disabled><svg></svg></button><div class="flex items-center gap-x-1"><span aria-current="page">{{.N}}</span><span>of</span><span>{{.Of}}</span></div><button type="button" aria-label="Next"><svg></svg></button></nav>`},
		{name: "DataTables 2", markup: `<div class="dt-layout-row"><div class="dt-info" aria-live="polite" role="status">Showing {{.From}} to {{.To}} of {{.Total}} entries</div><div class="dt-paging"><nav aria-label="pagination">{{range .Pages}}<button class="dt-paging-button{{if .Current}} current{{end}}" role="link" type="button" data-dt-idx="{{.N}}">{{.N}}</button>{{end}}</nav></div></div>`},
		{name: "Turbo, a stream", markup: `<a data-turbo-stream="true" href="/jobs.turbo_stream?page=2">More jobs</a>`},
		{name: "Livewire 4, intersect", markup: `<div wire:intersect="loadMore"></div>`},
		{name: "Alpine, by the pixel", markup: `<div x-intersect.full="$wire.loadNextPage()" class="h-1"></div>`},
		{name: "react-paginate", markup: `<ul class="" role="navigation" aria-label="Pagination"><li class="previous disabled"><a class="" tabindex="-1" role="button" aria-disabled="true" aria-label="Previous page" rel="prev">&lt;</a></li>{{range .Pages}}<li{{if .Current}} class="selected"{{end}}><a role="button" tabindex="0" aria-label="Page {{.N}}"{{if .Current}} aria-current="page"{{end}}>{{.N}}</a></li>{{end}}<li class="next"><a class="" tabindex="0" role="button" aria-disabled="false" aria-label="Next page" rel="next">&gt;</a></li></ul>`},
		{name: "react-js-pagination", markup: `<ul class="pagination">{{range .Pages}}<li{{if .Current}} class="active"{{end}}><a href="#" aria-label="Go to page number {{.N}}">{{.N}}</a></li>{{end}}<li><a href="#" aria-label="Go to next page">⟩</a></li></ul>`},
		{name: "Ark UI", markup: `<nav data-scope="pagination" data-part="root" aria-label="pagination">{{range .Pages}}<button data-part="item" data-index="{{.N}}"{{if .Current}} data-selected="" aria-current="page"{{end}} aria-label="page {{.N}}">{{.N}}</button>{{end}}<button data-part="next-trigger" aria-label="next page"><svg></svg></button></nav>`},
		{name: "Oracle APEX", markup: `<table class="t-Report-pagination"><tr><td></td><td><span class="t-Report-paginationText"><b>{{.From}} - {{.To}}</b></span></td><td><a href="javascript:apex.widget.report.paginate('R1',{min:9});" class="t-Button t-Report-paginationLink t-Report-paginationLink--next">Next <span class="a-Icon icon-right-arrow"></span></a></td></tr></table>`},
		{name: "Nuxt UI", markup: `<nav data-slot="root" aria-label="Pagination"><div class="flex items-center gap-1"><button type="button" aria-label="Page 1" data-type="page" data-selected="true">1</button><button type="button" aria-label="Page 2" data-type="page">2</button><button type="button" aria-label="Next Page"><span class="iconify i-lucide:chevron-right"></span></button></div></nav>`},
		{name: "daisyUI, radio inputs", markup: `<div class="join">{{range .Pages}}<input class="join-item btn btn-square" type="radio" name="options" aria-label="{{.N}}"{{if .Current}} checked="checked"{{end}}>{{end}}</div>`},
		{name: "a fraction beside an arrow", markup: `<div class="row"><button type="button" class="prev" disabled>←</button><span>{{.N}}/{{.Of}}</span><button type="button" class="go">→</button></div>`},
		{name: "a button under another heading", markup: `<h2>Nothing for you?</h2><p>Write to us all the same.</p><button type="button">Load more</button>`},
		{name: "24 in total", above: `<p>{{.Total}} in total</p>`},
		{name: "a total before its number", above: `<p>Total: {{.Total}}</p>`},
		{name: "24 jobs found", above: `<p>{{.Total}} jobs found</p>`},
		{name: "we found 24", above: `<p>We found {{.Total}} jobs for you</p>`},
		{name: "24 found, German", language: "de", above: `<p>{{.Total}} Stellen gefunden</p>`},
		{name: "24 in all, German", language: "de", above: `<p>Insgesamt {{.Total}}</p>`},
		{name: "24 in all, French", language: "fr", above: `<p>{{.Total}} offres au total</p>`},
		{name: "24 found, Italian", language: "it", above: `<p>{{.Total}} posizioni trovate</p>`},
		{name: "24 found, Russian", language: "ru", above: `<p>Найдено {{.Total}} вакансии</p>`},
		{name: "24 in all, Polish", language: "pl", above: `<p>Łącznie {{.Total}}</p>`},
		{name: "24 in all, Turkish", language: "tr", above: `<p>Toplam {{.Total}} ilan</p>`},
		{name: "24 in all, Czech", language: "cs", above: `<p>Celkem: {{.Total}}</p>`},
		{name: "skeletons", markup: `<div class="skeleton-card"><div class="skeleton skeleton-title"></div></div><div class="skeleton-card"><div class="skeleton skeleton-title"></div></div>`},
		{name: "pulsing boxes", markup: `<div class="animate-pulse"><div class="h-4 bg-gray-200 rounded"></div></div><div class="animate-pulse"><div class="h-4 bg-gray-200 rounded"></div></div>`},
		{name: "Bootstrap, placeholders", markup: `<div class="placeholder-glow" aria-hidden="true"><span class="placeholder col-6"></span></div>`},
		{name: "MUI, skeletons", markup: `<span class="MuiSkeleton-root MuiSkeleton-rectangular MuiSkeleton-pulse" style="width:100%;height:60px"></span>`},
		{name: "loading more jobs", markup: `<p>Loading more jobs…</p>`},
		{name: "loading more, German", language: "de", markup: `<div role="status">Weitere Stellen werden geladen …</div>`},
		{name: "scroll down for more", markup: `<p class="hint">Scroll down to load more</p>`},
		{name: "an ItemList of 24", head: `<script type="application/ld+json">{"@context":"https://schema.org","@type":"ItemList","numberOfItems":{{.Total}},"itemListElement":[{"@type":"ListItem","position":1,"url":"https://www.company.example/jobs/1001-role"},{"@type":"ListItem","position":2,"url":"https://www.company.example/jobs/1002-role"}]}</script>`},
		{name: "a next address in a script", markup: `<div id="more"></div><script>var nextPageUrl = "https:\/\/www.company.example\/jobs?page=2"; new Scroller(nextPageUrl);</script>`},
	}
	for i := range forms {
		forms[i].script = true
	}
	return forms
}

// furtherWholes are whole lists beside what these forms must not be taken for.
func furtherWholes() map[string]wholeShape {
	return map[string]wholeShape{
		"8 in total":                         {above: `<p>8 in total</p>`},
		"a total of something else":          {below: `<p>Total area: 24 ha</p><p>24 nations in total work with us.</p>`},
		"a score of one to five":             {below: `<h2>How was it?</h2><div class="rating"><input type="radio" name="r" aria-label="1"><input type="radio" name="r" aria-label="2"><input type="radio" name="r" aria-label="3" checked></div>`},
		"a fraction of pictures":             {below: `<div class="gallery"><button>←</button><span>1/3</span><button>→</button></div>`},
		"all are loaded":                     {below: `<p class="end">No more jobs to load</p>`},
		"an ItemList of eight":               {head: `<script type="application/ld+json">{"@context":"https://schema.org","@type":"ItemList","numberOfItems":8,"itemListElement":[]}</script>`},
		"an ItemList of the menu":            {head: `<script type="application/ld+json">{"@context":"https://schema.org","@type":"ItemList","name":"Menu","numberOfItems":24,"itemListElement":[{"@type":"ListItem","position":1,"url":"https://www.company.example/about"},{"@type":"ListItem","position":2,"url":"https://www.company.example/news"}]}</script>`},
		"a feed of photos in its own box":    {below: `<div class="feed"><h2>From our days</h2><div id="photos"></div><button>Load more</button></div>`},
		"a hidden skeleton":                  {below: `<div class="skeleton-card" hidden></div>`},
		"skeletons of the news":              {below: `<section><h2>News</h2><div class="skeleton-card"></div><div class="skeleton-card"></div></section>`},
		"scroll down to apply":               {above: `<p>Scroll down to see our openings</p>`},
		"an address of the news in a script": {below: `<script>var nextPageUrl = "/news?page=2";</script>`},
		"24 people found their way":          {below: `<p>24 people found a job with us in 2025.</p>`},
	}
}
