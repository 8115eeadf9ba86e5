package scraper_test

import (
	"encoding/json"
	stdhtml "html"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

const (
	stateRoles = `[{"id":"r-1","title":"Pipe Fitter","location":"Hamburg","department":"Assembly","url":"/jobs/r-1"},{"id":"r-2","title":"Pump Engineer","location":"Remote","department":"Engineering","url":"/jobs/r-2"}]`
	menu       = `[{"title":"Products","url":"/products"},{"title":"Careers","url":"/careers"},{"title":"About","url":"/about"}]`
)

// framed is a page that shows nothing by itself.
func framed(inside string) []byte {
	return []byte(`<!doctype html><html><head><title>Careers</title></head><body><div id="app"></div>` + inside + `<script src="/app.js"></script></body></html>`)
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string can be encoded
	}
	return string(b)
}

// The roles lie in the state that a framework leaves in the page, each in its own way.
func TestReadEmbeddedState(t *testing.T) {
	t.Parallel()
	flight := `1:HL["/x.css","style"]` + "\n" + `3:T1c,a text: with {"braces"} in it` + "\n" + `5:["$","$L6",null,{"menu":` + menu + `,"jobs":` + stateRoles + `}]` + "\n"
	referred := `1:{"jobs":["$2","$3"]}` + "\n" + `2:{"id":"r-1","title":"Pipe Fitter","location":"Hamburg","url":"/jobs/r-1","department":"Assembly"}` + "\n" +
		`3:{"id":"r-2","title":"Pump Engineer","location":"Remote","url":"/jobs/r-2","department":"Engineering"}` + "\n"
	for name, inside := range map[string]string{
		"Next.js, pages":              `<script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{"nav":` + menu + `,"jobs":` + stateRoles + `}},"page":"/careers","buildId":"x"}</script>`,
		"Next.js, streamed":           `<script>(self.__next_f=self.__next_f||[]).push([0])</script><script>self.__next_f.push([1,` + quoted(flight) + `])</script>`,
		"Next.js, streamed in two":    `<script>self.__next_f.push([1,` + quoted(flight[:150]) + `])</script><script>self.__next_f.push([1,` + quoted(flight[150:]) + `])</script>`,
		"Next.js, with references":    `<script>self.__next_f.push([1,` + quoted(referred) + `])</script>`,
		"Nuxt 2":                      `<script>window.__NUXT__=(function(a,b,c){return {layout:"default",data:[{menu:` + menu + `,jobs:[{id:"r-1",title:"Pipe Fitter",location:a,department:"Assembly",url:"\u002Fjobs\u002Fr-1"},{id:"r-2",title:"Pump Engineer",location:b,department:c,url:"\u002Fjobs\u002Fr-2"}]}],error:null,serverRendered:!0}}("Hamburg","Remote","Engineering"));</script>`,
		"Nuxt 2, with assignments":    `<script>window.__NUXT__=(function(a,b){a.id="r-1";a.title="Pipe Fitter";a.location="Hamburg";a.department="Assembly";a.url="/jobs/r-1";b[0]=a;return {data:[{jobs:[a,{id:"r-2",title:"Pump Engineer",location:"Remote",department:"Engineering",url:"/jobs/r-2"}]}],n:void 0}}({},[]))</script>`,
		"Nuxt 2, arrow":               `<script>window.__NUXT__=((a)=>({data:[{jobs:[{id:"r-1",title:"Pipe Fitter",location:a,department:"Assembly",url:"/jobs/r-1"},{id:"r-2",title:"Pump Engineer",location:"Remote",department:"Engineering",url:"/jobs/r-2"}]}]}))("Hamburg")</script>`,
		"Nuxt 3":                      `<script type="application/json" id="__NUXT_DATA__">[["ShallowReactive",1],{"data":2,"state":17},["Reactive",3],{"jobs":4},[5,11],{"id":6,"title":7,"location":8,"department":9,"url":10},"r-1","Pipe Fitter","Hamburg","Assembly","/jobs/r-1",{"id":12,"title":13,"location":14,"department":15,"url":16},"r-2","Pump Engineer","Remote","Engineering","/jobs/r-2",{}]</script>`,
		"Gatsby or any JSON":          `<script type="application/json">{"result":{"data":{"allJob":{"nodes":` + stateRoles + `}}}}</script>`,
		"Remix":                       `<script>window.__remixContext = {"state":{"loaderData":{"routes/careers":{"jobs":` + stateRoles + `}}}};</script>`,
		"React Router":                `<script>window.__reactRouterContext.streamController.enqueue(` + quoted(`[{"_1":2},"loaderData",{"_3":4},"jobs",[5,16],{"_6":7,"_8":9,"_10":11,"_12":13,"_14":15},"id","r-1","title","Pipe Fitter","location","Hamburg","department","Assembly","url","/jobs/r-1",{"_6":17,"_8":18,"_10":19,"_12":20,"_14":21},"r-2","Pump Engineer","Remote","Engineering","/jobs/r-2"]`+"\n") + `);</script>`,
		"Redux":                       `<script>window.__INITIAL_STATE__={user:undefined,now:new Date(1700000000000),f:function(){return {a:1}},menu:` + menu + `,search:{jobs:` + stateRoles + `}};</script>`,
		"JSON.parse":                  `<script>window.__PRELOADED_STATE__ = JSON.parse(` + quoted(`{"jobs":`+stateRoles+`}`) + `);</script>`,
		"encoded":                     `<script>window.__STATE__=JSON.parse(decodeURIComponent("%7B%22jobs%22%3A` + strings.NewReplacer(`"`, "%22", " ", "%20").Replace(stateRoles) + `%7D"));</script>`,
		"Apollo":                      `<script>window.__APOLLO_STATE__={"ROOT_QUERY":{"jobs":[{"__ref":"Job:r-1"},{"__ref":"Job:r-2"}]},"Job:r-1":{"__typename":"Job","id":"r-1","title":"Pipe Fitter","location":"Hamburg","department":"Assembly","url":"/jobs/r-1"},"Job:r-2":{"__typename":"Job","id":"r-2","title":"Pump Engineer","location":"Remote","department":"Engineering","url":"/jobs/r-2"},"Page:1":{"__typename":"Page","id":"1","title":"About us","slug":"about"}}</script>`,
		"Phenom":                      `<script>/*&lt;!--*/ var phApp = phApp || {}; phApp.ddo = {"siteConfig":{"data":{"menu":` + menu + `}},"eagerLoadRefineSearch":{"status":200,"totalHits":2,"data":{"jobs":[{"jobSeqNo":"X1","title":"Pipe Fitter","cityState":"Hamburg","category":"Assembly","applyUrl":"https://www.company.example/jobs/r-1"},{"jobSeqNo":"X2","title":"Pump Engineer","cityState":"Remote","category":"Engineering","applyUrl":"https://www.company.example/jobs/r-2"}]}}}; phApp.x = 1;</script>`,
		"Angular":                     `<script id="serverApp-state" type="application/json">` + strings.ReplaceAll(`{"jobs":`+stateRoles+`}`, `"`, "&q;") + `</script>`,
		"SvelteKit":                   `<script>{ __sveltekit_1={base:""}; const element=document.currentScript.parentElement; Promise.all([import("./a.js"),import("./b.js")]).then(([kit, app]) => { kit.start(app, element, {node_ids:[0,2],data:[null,{type:"data",data:{jobs:` + stateRoles + `},uses:{}}],form:null}); }); }</script>`,
		"SvelteKit, fetched":          `<script type="application/json" data-sveltekit-fetched data-url="/api/jobs">{"status":200,"statusText":"OK","headers":{},"body":` + quoted(`{"jobs":`+stateRoles+`}`) + `}</script>`,
		"Astro":                       `<astro-island uid="x" props="` + stdhtml.EscapeString(`{"jobs":[1,[[0,{"id":[0,"r-1"],"title":[0,"Pipe Fitter"],"location":[0,"Hamburg"],"department":[0,"Assembly"],"url":[0,"/jobs/r-1"]}],[0,{"id":[0,"r-2"],"title":[0,"Pump Engineer"],"location":[0,"Remote"],"department":[0,"Engineering"],"url":[0,"/jobs/r-2"]}]]]}`) + `"></astro-island>`,
		"Rails":                       `<div data-react-class="Jobs" data-react-props="` + stdhtml.EscapeString(`{"jobs":`+stateRoles+`}`) + `"></div>`,
		"Inertia":                     `<div id="page" data-page="` + stdhtml.EscapeString(`{"component":"Jobs","props":{"jobs":`+stateRoles+`}}`) + `"></div>`,
		"escaped twice":               `<div data-jobs="` + stdhtml.EscapeString(stdhtml.EscapeString(stateRoles)) + `"></div>`,
		"Alpine":                      `<div x-data="{ open: false, jobs: ` + stdhtml.EscapeString(stateRoles) + `, toggle() { this.open = !this.open } }"></div>`,
		"Wix":                         `<script type="application/json" id="wix-warmup-data">{"appsWarmupData":{"x":{"items":` + stateRoles + `}}}</script>`,
		"groups of roles":             `<script>window.jobs = [{name:"Assembly",positions:[{id:"r-1",title:"Pipe Fitter",location:{name:"Hamburg"},url:"/jobs/r-1"}]},{name:"Engineering",positions:[{id:"r-2",title:"Pump Engineer",location:{name:"Remote"},url:"/jobs/r-2"}]}]</script>`,
		"with closed ones":            `<script>var data={"jobs":` + strings.TrimSuffix(stateRoles, "]") + `,{"id":"r-3","title":"Old Fitter","location":"Hamburg","url":"/jobs/r-3","status":"closed"},{"id":"r-4","title":"Secret Engineer","location":"Bremen","url":"/jobs/r-4","isListed":false}]}</script>`,
		"with hidden ones":            `<script>var data={"jobs":` + strings.TrimSuffix(stateRoles, "]") + `,{"id":"r-3","title":"Old Fitter","location":"Hamburg","url":"/jobs/r-3","isActive":"false"}]}</script>`,
		"in pages that are all there": `<script>var data={"jobs":` + stateRoles + `,"pagination":{"page":1,"pageSize":1,"totalPages":2},"next":"/about"}</script>`,
		"on the last page":            `<script>var data={"jobs":{"data":` + stateRoles + `,"meta":{"current_page":1,"last_page":1},"links":{"next":null}}}</script>`,
		"beside people and posts":     `<script>window.__DATA__={"team":[{"id":1,"name":"Ada","title":"Pump Engineer","department":"Engineering","bio":"x"},{"id":2,"name":"Bo","title":"Fitter","department":"Assembly","bio":"y"},{"id":3,"name":"Cy","title":"Manager","department":"Assembly","bio":"y"}],"posts":[{"id":1,"title":"How we hire an engineer","slug":"how","category":"Jobs"}],"jobs":` + stateRoles + `}</script>`,
		"titles in other languages":   `<script>var o={"offres":[{"reference":"r-1","intitule":"Pipe Fitter","lieu":"Hamburg","service":"x","departement":"Assembly","url":"/jobs/r-1"},{"reference":"r-2","intitule":"Pump Engineer","lieu":"Remote","departement":"Engineering","url":"/jobs/r-2"}]}</script>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere(framed(inside)), listAddress)
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
			require.Len(t, r.Postings, 2)
			for i, want := range [...]boardwatch.Posting{
				{Title: "Pipe Fitter", Location: "Hamburg", Department: "Assembly", URL: "https://www.company.example/jobs/r-1"},
				{Title: "Pump Engineer", Location: "Remote", Department: "Engineering", URL: "https://www.company.example/jobs/r-2"},
			} {
				got := r.Postings[i]
				got.Key = ""
				require.Equal(t, want, got)
			}
		})
	}
}

// Data of a page that is about something else holds no roles.
func TestReadEmbeddedStateOfOtherThings(t *testing.T) {
	t.Parallel()
	for name, inside := range map[string]string{
		"a menu":           `<script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{"menu":` + menu + `}}}</script>`,
		"posts of a blog":  `<script>window.__DATA__={"posts":[{"id":1,"title":"Why an engineer left","slug":"why","category":"Careers","author":"A"},{"id":2,"title":"How to become a manager","slug":"how","category":"Careers","author":"B"}]}</script>`,
		"shops":            `<script>window.__DATA__={"stores":[{"id":1,"name":"Hamburg Altona","location":"Hamburg","url":"/stores/1","latitude":1},{"id":2,"name":"Berlin Mitte","location":"Berlin","url":"/stores/2","latitude":1}]}</script>`,
		"products":         `<script>window.__DATA__={"products":[{"id":1,"title":"Pump Controller","category":"Pumps","price":10,"url":"/p/1"},{"id":2,"title":"Valve Operator","category":"Valves","price":20,"url":"/p/2"}]}</script>`,
		"people":           `<script>window.__DATA__={"team":[{"id":1,"name":"Ada L","role":"Engineer","department":"Pumps","image":"x"},{"id":2,"name":"Bo M","role":"Manager","department":"Pumps","image":"y"}]}</script>`,
		"filters":          `<script>window.__DATA__={"filters":{"departments":[{"id":1,"name":"Engineering","slug":"engineering"},{"id":2,"name":"Sales","slug":"sales"}],"locations":[{"id":1,"name":"Hamburg","country":"Germany"},{"id":2,"name":"Bremen","country":"Germany"}]}}</script>`,
		"events":           `<script>window.__DATA__={"events":[{"id":1,"title":"Meet our engineers","location":"Hamburg","url":"/events/1"},{"id":2,"title":"Open day","location":"Bremen","url":"/events/2"}]}</script>`,
		"an empty list":    `<script>window.__INITIAL_STATE__={"jobs":[],"total":0,"loading":true}</script>`,
		"a broken block":   `<script type="application/json">{"jobs":[{"id":1,"title":"Pipe Fitter","location":</script>`,
		"a script":         `<script>function jobs(){return fetch("/api/jobs?location=x").then(r=>r.json()).then(d=>d.jobs.map(j=>({title:j.title,location:j.location})))}</script>`,
		"roles that ended": `<script>window.__DATA__={"pastJobs":` + stateRoles + `}</script>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere(framed(inside)), listAddress)
			require.Equal(t, boardwatch.HealthFailed, r.Health)
			require.Contains(t, r.Reason, "needs a browser")
			require.Empty(t, r.Postings)
		})
	}
}

// What the state says about the length of the list counts, and so does a further page.
func TestReadEmbeddedStatePartial(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ inside, reason string }{
		"a total":                     {`<script>window.__DATA__={"search":{"total":66,"jobs":` + stateRoles + `}}</script>`, "says it has 66 roles"},
		"a total as a text":           {`<script>window.__DATA__={"search":{"total":"66","jobs":` + stateRoles + `}}</script>`, "says it has 66 roles"},
		"a meta total":                {`<script>window.__DATA__={"jobs":{"data":` + stateRoles + `,"meta":{"pagination":{"total":12}}}}</script>`, "says it has 12 roles"},
		"a page of several of a size": {`<script>window.__DATA__={"jobs":` + stateRoles + `,"pagination":{"page":1,"pageSize":2,"totalPages":4}}</script>`, "says it has 7 roles"},
		"a page of several":           {`<script>window.__DATA__={"jobs":{"data":` + stateRoles + `,"meta":{"current_page":1,"last_page":"4"}}}</script>`, "part of the list"},
		"the address of a next page":  {`<script>window.__DATA__={"results":` + stateRoles + `,"next":"https://api.company.example/jobs?page=2"}</script>`, "part of the list"},
		"more, as a text":             {`<script>window.__DATA__={"jobs":` + stateRoles + `,"hasMore":"true"}</script>`, "part of the list"},
		"more pages":                  {`<script>window.__DATA__={"jobs":{"edges":` + stateRoles + `,"pageInfo":{"hasNextPage":true}}}</script>`, "part of the list"},
		"broken stream":               {`<script>self.__next_f.push([1,` + quoted(`1:{"jobs":[{"id":"r-1","title":"Pipe Fitter","location":"Hamburg","url":"/jobs/r-1","description":"$9"},{"id":"r-2","title":"Pump Engineer","location":"Remote","url":"/jobs/r-2"}]}`+"\n") + `])</script>`, "part of the list"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere(framed(tt.inside)), listAddress)
			require.Equal(t, boardwatch.HealthPartial, r.Health)
			require.Contains(t, r.Reason, tt.reason)
			require.Len(t, r.Postings, 2)
		})
	}
}

// Scripts made to keep a reader busy are given up on.
func TestReadEmbeddedStateHostile(t *testing.T) {
	t.Parallel()
	doubling := `var job="title location";` + `window.x=(function(a){` + strings.Repeat(`a.t=a.t+a.t;`, 60) + `return {jobs:[{title:a.t,id:"1",location:"x"}]}}({t:"aaaaaaaaaaaaaaaa"}))`
	circle := `window.x=(function(a){a.location=a;a.title=a;a.jobs=[a,a];a.name="x";return {jobs:[a,a]}}({}))`
	many := make([]string, 3000)
	for i := range many {
		many[i] = `{title:"Fitter ` + strconv.Itoa(i) + `",location:`
	}
	for name, script := range map[string]string{
		"doubling": doubling, "circle": circle, "deep": `var jobs={title:1,location:` + strings.Repeat(`[`, 100_000), "unclosed": `var jobs=` + strings.Join(many, ""),
		"circle of lists": `window.x=(function(a,b){a[0]=b;a[1]=b;b[0]=a;b[1]=a;return {jobs:a,title:"location"}}([1,1],[1,1]))`,
		"calls":           `var jobs={title:1,location:` + strings.Repeat(`(function(a){return a}(`, 5_000), "quotes": `var jobs="title location` + strings.Repeat(`\"`, 100_000),
		"patterns": `var jobs={title:/` + strings.Repeat(`[`, 10_000) + `,location:1}`, "nested callbacks": `jobs({title:"location"},` + strings.Repeat(`function(){x(`, 5_000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := read(t, anywhere(framed(`<script>`+script+`</script>`)), listAddress)
			require.NotEqual(t, boardwatch.HealthOK, r.Health)
		})
	}
}
