package scraper_test

// wholeShape is what stands around a list that is whole.
type wholeShape struct{ head, around, above, below, query string }

// wholeShapes are lists that are whole, beside something that only looks as if it led on.
func wholeShapes() map[string]wholeShape {
	numbers := `<nav class="pagination"><a href="/jobs?page=1">1</a><a href="/jobs?page=2">2</a><a href="/jobs?page=3">3</a></nav>`
	return map[string]wholeShape{
		"the last page of a row of links":       {below: numbers, query: "?page=3"},
		"the last page, marked":                 {below: `<ul class="pagination"><li><a href="?page=1">1</a></li><li class="active"><a href="#">2</a></li></ul>`, query: "?page=2"},
		"the last page, the next switched off":  {below: `<ul class="pagination"><li><a href="?page=1">1</a></li><li class="active"><span>2</span></li><li class="disabled"><a href="?page=3">Next</a></li></ul>`, query: "?page=2"},
		"the only page":                         {below: `<ul class="pagination"><li class="active"><a href="?page=1">1</a></li></ul>`},
		"page 1 of 1":                           {below: `<p>Page 1 of 1</p>`},
		"page 3 of 3":                           {below: `<p>Page 3 of 3</p><a href="?page=2">Previous</a>`, query: "?page=3"},
		"a next that leads to the page itself":  {below: `<a href="/jobs">Next</a>`},
		"a next that brings nothing new":        {below: `<a href="/jobs?page=2">Next</a>`},
		"showing all":                           {below: `<p>Showing 1-8 of 8</p>`},
		"more news":                             {below: `<section><h2>News</h2><p>Company wins a prize.</p><a href="/news">Read more news</a></section>`},
		"a pager of the news":                   {below: `<section class="news"><h2>News</h2><p>Company wins a prize.</p><div class="pagination"><span class="current">1</span><a href="/news/page/2">2</a><a href="/news/page/2">Next</a></div></section>`},
		"a pager of the news on this page":      {below: `<section class="news"><h2>News</h2><p>Company wins a prize.</p><div class="pagination"><span class="current">1</span><a href="?news_page=2">2</a></div></section>`},
		"news by script":                        {below: `<section class="news"><h2>News</h2><p>Company wins a prize.</p><button type="button">Load more</button></section>`},
		"the next post":                         {below: `<nav class="post-navigation"><a rel="prev" href="/blog/spring">Spring at Company</a><a rel="next" href="/blog/summer">Summer at Company</a></nav>`},
		"the next post, in the head":            {head: `<link rel="next" href="/blog/summer"><link rel="prev" href="/blog/spring">`},
		"next and previous in a blog":           {below: `<section><h2>From our blog</h2><p>Summer came early.</p><a href="/blog/spring">« Previous</a> <a href="/blog/summer">Next »</a></section>`},
		"a carousel":                            {below: `<div class="carousel slide" id="photos"><div class="carousel-inner"><img src="/a.jpg" alt="Our office"></div><a class="carousel-control-prev" href="#photos" role="button" data-slide="prev"><span class="sr-only">Previous</span></a><a class="carousel-control-next" href="#photos" role="button" data-slide="next"><span class="sr-only">Next</span></a></div>`},
		"a carousel by script":                  {below: `<div class="swiper"><div class="swiper-wrapper"><img src="/a.jpg" alt="Our office"></div><div class="swiper-pagination"><span class="swiper-pagination-bullet">1</span><span class="swiper-pagination-bullet">2</span></div><button class="swiper-button-next" aria-label="Next slide">›</button></div>`},
		"arrows of an unnamed carousel":         {below: `<section><h2>What our people say</h2><p>I like it here.</p><button class="arrow-left">‹</button><button class="arrow-right">›</button></section>`},
		"arrows beside the list":                {below: `<button class="arrow-left" aria-label="Previous">‹</button><button class="arrow-right" aria-label="Next">›</button>`},
		"languages":                             {above: `<ul class="languages"><li><a href="/de/jobs" hreflang="de">Deutsch</a></li><li><a href="?lang=fr" hreflang="fr">Français</a></li><li><a href="?L=2">Nederlands</a></li></ul>`},
		"filters":                               {above: `<ul class="filters"><li><a href="?department=2">Engineering</a></li><li><a href="?department=3">Sales</a></li><li><a href="?location=berlin&page=1">Berlin</a></li></ul>`},
		"a form of filters":                     {above: `<form action="/jobs"><input type="hidden" name="page" value="1"><select name="team"><option value="">All teams</option><option value="1">Sales</option><option value="2">Plant</option></select><button>Filter</button></form>`},
		"sorting":                               {above: `<p>Sort by <a href="?sort=title&page=1">title</a> <a href="?sort=date">date</a></p>`},
		"how many on a page":                    {above: `<form><select name="per_page"><option value="8" selected>8</option><option value="16">16</option><option value="24">24</option></select></form>`},
		"a calendar":                            {below: `<section><h2>Events</h2><table class="calendar"><caption><a href="?month=11&year=2026">‹</a> December 2026 <a href="?month=1&year=2027">›</a></caption><tr><td><a href="?day=1">1</a></td><td><a href="?day=2">2</a></td><td>3</td></tr><tr><td>8</td><td><a href="?day=9">9</a></td></tr></table></section>`},
		"more about us":                         {below: `<p><a href="/about">More about us</a> <a href="/culture">Learn more</a></p>`},
		"next steps":                            {below: `<h2>Next steps</h2><ol><li>Apply</li><li>Meet us</li><li>Start</li></ol><a href="#top">Next steps</a>`},
		"numbered steps":                        {below: `<h2>How to apply</h2><div class="steps"><div><span>1</span><p>Send us your papers.</p></div><div><span>2</span><p>Meet the team.</p></div><div><span>3</span><p>Start.</p></div></div>`},
		"a form in steps":                       {below: `<form class="apply" method="post" action="/apply"><h2>Apply now</h2><input type="text" name="name"><input type="email" name="mail"><button type="button">Next</button></form>`},
		"a text that folds":                     {below: `<p>We make pipes.</p><button aria-expanded="false" aria-controls="rest">Show more</button><p id="rest" hidden>And valves.</p>`},
		"years of reports":                      {below: `<p>Reports: <a href="/reports/2024">2024</a> <a href="/reports/2025">2025</a> <a href="/reports/2026">2026</a></p>`},
		"footnotes":                             {below: `<p>Pay as agreed<a href="#fn1">1</a>, days off<a href="#fn2">2</a></p><ol><li id="fn1">By the hour.</li><li id="fn2">Thirty.</li></ol>`},
		"a rating":                              {below: `<h2>Did you find what you looked for?</h2><div class="rating"><button>1</button><button>2</button><button>3</button><button>4</button><button>5</button></div>`},
		"a class that speaks of scrolling":      {below: `<a class="scroll-to-top" href="#top">Top</a>`},
		"an empty wrapper for further roles":    {around: `<div class="views-infinite-scroll-content-wrapper" data-drupal-views-infinite-scroll-content-wrapper>%s</div>`},
		"a lazy frame of something else":        {below: `<h2>Where we are</h2><iframe src="https://maps.other.example/embed?z=2" loading="lazy"></iframe>`},
		"a map in a lazy frame":                 {below: `<iframe src="/map?zoom=2" loading="lazy" title="Map"></iframe>`},
		"a shop's pages by number in its query": {above: `<div class="menu"><a href="/jobs?page=7">Contact</a><a href="/jobs?page=8">Products</a></div>`},
		"a breadcrumb with arrows":              {above: `<p class="crumbs"><a href="/">Home</a> › <a href="/company">Company</a> › Jobs</p>`},
		"a button that leads to the roles":      {above: `<a href="#jobs" class="button">See open positions ›</a>`},
		"a link to apply":                       {below: `<p><a href="/jobs/apply?step=1">Send an open application ›</a></p>`},
		"an archive":                            {below: `<p><a href="/jobs/2025">2025</a> <a href="/jobs/archive">Older roles, closed</a></p>`},
		"all pages are shown":                   {below: `<div class="pages" data-total-pages="1" data-has-more="false"></div>`},
	}
}
