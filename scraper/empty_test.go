package scraper_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// emptyPage is a careers page that shows no roles and says the sentence where the list would be.
func emptyPage(sentence string) []byte {
	return []byte(`<!doctype html><html><head><title>Pumps</title></head><body><header><nav><a href="/">Pumps</a><a href="/about">About</a></nav></header>` +
		`<main><h1>Pumps</h1><p>Pumps keep cities dry. We have been making them since 1950, in two halls by the river, for people who care.</p>` + sentence +
		`</main><footer><a href="/privacy">Privacy</a></footer></body></html>`)
}

// A page is an empty board only when it says so, in the words of whatever language it is written in.
func TestReadEmptyPage(t *testing.T) {
	t.Parallel()
	for language, sentences := range map[string][]string{
		"English": {
			"There are currently no open positions.", "We have no vacancies at this time.", "Sorry, no jobs available right now.", "We're not hiring at the moment.",
			"No current openings", "There are no job openings at present, but feel free to check back soon.", "At this time we do not have any open roles.",
			"We don't have any open positions right now.", "All positions are currently filled.", "There aren't any openings right now.", "No open roles at the moment – check back later!",
			"We are not actively recruiting at the moment.", "Currently, there are no vacancies.", "0 open positions: we are fully staffed and have no openings.",
			"Unfortunately, we don't have any vacancies at the moment.", "There is no open position at the moment.", "No jobs found. We have no open positions at the moment.",
		},
		"German": {
			"Derzeit sind keine Stellen ausgeschrieben.", "Aktuell haben wir leider keine offenen Stellen.", "Zurzeit keine offenen Positionen.", "Momentan gibt es bei uns keine freien Stellen.",
			"Im Moment suchen wir keine neuen Mitarbeiter.", "Leider sind im Augenblick alle Stellen besetzt.", "Keine aktuellen Stellenangebote.", "Es gibt derzeit keine Vakanzen.",
		},
		"French": {
			"Aucune offre d'emploi pour le moment.", "Il n'y a actuellement aucun poste à pourvoir.", "Nous n'avons pas de poste ouvert actuellement.", "Pas d'offres disponibles en ce moment.",
			"Nous ne recrutons pas actuellement.", "Aucun recrutement en cours.", "Il n'y a pas d'offre disponible.",
		},
		"Spanish": {
			"Actualmente no hay vacantes disponibles.", "No tenemos ofertas de empleo en este momento.", "En este momento no contamos con puestos abiertos.", "No hay ofertas disponibles.",
			"Por el momento no tenemos procesos de selección abiertos.", "No existen vacantes actualmente.",
		},
		"Italian": {
			"Al momento non ci sono posizioni aperte.", "Nessuna posizione aperta al momento.", "Non abbiamo offerte di lavoro attive.", "Attualmente non sono disponibili posizioni lavorative.",
			"Non ci sono ricerche in corso.",
		},
		"Portuguese": {
			"No momento não há vagas abertas.", "Não temos vagas disponíveis de momento.", "Nenhuma vaga disponível.", "Não existem oportunidades em aberto.", "Atualmente não temos posições em aberto.",
		},
		"Dutch": {
			"Er zijn momenteel geen vacatures.", "Op dit moment hebben we geen openstaande vacatures.", "Geen vacatures gevonden", "Wij hebben op dit moment geen vacatures.",
		},
		"Polish": {
			"Obecnie nie prowadzimy rekrutacji.", "Brak ofert pracy.", "Aktualnie nie mamy otwartych rekrutacji.", "W tej chwili nie ma wolnych stanowisk.", "Brak aktualnych ofert.",
		},
		"Swedish": {
			"Just nu har vi inga lediga tjänster.", "Det finns inga lediga jobb för tillfället.", "Vi har inga lediga tjänster just nu.", "För närvarande finns inga utlysta tjänster.",
		},
		"Danish":    {"Der er ingen ledige stillinger i øjeblikket.", "Vi har ingen ledige stillinger lige nu."},
		"Norwegian": {"Vi har for tiden ingen ledige stillinger.", "Det er ingen ledige stillinger akkurat nå."},
		"Finnish":   {"Meillä ei ole tällä hetkellä avoimia työpaikkoja.", "Ei avoimia työpaikkoja.", "Tällä hetkellä ei ole avoimia tehtäviä."},
		"Czech":     {"Momentálně nemáme žádné volné pozice.", "V současné době nejsou vypsána žádná volná místa.", "Nyní nehledáme nikoho nového, žádné volné pozice nemáme."},
		"Slovak":    {"Momentálne nemáme voľné pracovné miesta."},
		"Hungarian": {"Jelenleg nincs nyitott pozíciónk.", "Jelenleg nincsenek nyitott állások."},
		"Romanian":  {"Momentan nu avem posturi disponibile.", "Nu există posturi vacante în acest moment."},
		"Turkish":   {"Şu anda açık pozisyon bulunmamaktadır.", "Açık pozisyonumuz yok."},
		"Greek":     {"Δεν υπάρχουν ανοιχτές θέσεις αυτή τη στιγμή."},
		"Russian":   {"В данный момент открытых вакансий нет.", "Сейчас нет открытых вакансий.", "На данный момент вакансии отсутствуют.", "Вакансий пока нет."},
		"Ukrainian": {"Наразі немає відкритих вакансій."},
		"Japanese":  {"現在募集中の職種はありません。", "現在、募集は行っておりません。", "ただいま求人はございません。", "現在募集しているポジションはございません。", "募集は終了しました。"},
		"Chinese":   {"目前没有空缺职位。", "暂无招聘信息", "目前沒有職缺。", "暂时没有开放的职位。", "当前无招聘岗位"},
		"Korean":    {"현재 진행 중인 채용이 없습니다.", "채용 공고가 없습니다.", "현재 모집 중인 포지션이 없습니다."},
		"Arabic":    {"لا توجد وظائف شاغرة حاليا.", "لا يوجد شواغر في الوقت الحالي."},
		"Hebrew":    {"אין כרגע משרות פתוחות."},
	} {
		for _, sentence := range sentences {
			t.Run(language+": "+sentence, func(t *testing.T) {
				t.Parallel()
				r := readQuietly(t, anywhere(emptyPage("<p>"+sentence+"</p>")), listAddress)
				require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
				require.Empty(t, r.Postings)
			})
		}
	}
}

// A list that is called so and is empty belongs to the sentence that stands with it.
func TestReadEmptyPageWithItsList(t *testing.T) {
	t.Parallel()
	for _, content := range []string{
		`<h2>Open positions</h2><p>There are no open positions.</p><ul class="jobs"></ul>`,
		`<h2>Open positions</h2><ul class="jobs"></ul><p>There are no open positions.</p><h2>Benefits</h2><p>Ferries.</p>`,
		`<p>There are no open positions.</p><h2>Open positions</h2><ul class="jobs"></ul>`,
		`<p>There are no open positions. Why not? Everybody stays.</p>`,
	} {
		t.Run(content, func(t *testing.T) {
			t.Parallel()
			r := readQuietly(t, anywhere(emptyPage(content)), listAddress)
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
			require.Empty(t, r.Postings)
		})
	}
}

// A short page that says itself that nothing is open is no frame of an application because a form on it, or a counter of visitors, asks
// for JavaScript.
func TestShortPageThatAsksForJavaScript(t *testing.T) {
	t.Parallel()
	const ask = `<script src="/form.js"></script><noscript>Please enable JavaScript to use our form.</noscript>`
	for body, want := range map[string]boardwatch.Health{
		`<h1>Careers</h1><p>There are no open positions.</p>` + ask:                      boardwatch.HealthOK,
		`<h1>Careers</h1><p>Come and work in our yard.</p>` + ask:                        boardwatch.HealthFailed,
		`<h1>Careers</h1><p>There are no open positions.</p><div id="root"></div>` + ask: boardwatch.HealthFailed,
	} {
		r := readQuietly(t, anywhere([]byte(`<!doctype html><html><head><title>Careers</title></head><body>`+body+`</body></html>`)), listAddress)
		require.Equal(t, want, r.Health, body)
		require.Empty(t, r.Postings)
	}
}

// What only looks like the word that there are no roles is no evidence.
// What a page shows beside the sentence that there are no roles, about something else, is no doubt about it.
func TestReadEmptyPageBesideOtherMatter(t *testing.T) {
	t.Parallel()
	for name, beside := range map[string]string{
		"a form for members":       `<div class="modal"><form><input name="mail"><input type="password" name="secret"><button>Join</button></form></div>`,
		"a form that may fail":     `<div><form><input type="email" name="mail"><textarea name="text"></textarea></form><div><div>Oops! Something went wrong while submitting the form.</div></div></div>`,
		"a number of a part of it": `<p><span>02</span> <span>Jobs</span></p>`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := readQuietly(t, anywhere(emptyPage("<section><p>There are currently no open positions.</p></section>"+beside)), listAddress)
			require.Equal(t, boardwatch.HealthOK, r.Health, r.Reason)
			require.Empty(t, r.Postings)
		})
	}
}

func TestReadPageNotProvenEmpty(t *testing.T) {
	t.Parallel()
	for _, sentence := range []string{
		"<p>See our open positions below.</p>", "<p>We are hiring!</p>", "<p>Our team is growing. Have a look at our jobs.</p>",
		"<p>No jobs match your search criteria.</p>", "<p>There are no positions that match your filters.</p>", "<p>Keine Stellen für Ihre Suche gefunden.</p>",
		"<p>If there are no open positions that fit you, write to us anyway.</p>", "<p>Auch wenn derzeit keine Stellen frei sind, freuen wir uns über Post.</p>",
		`<p style="display:none">There are no open positions.</p>`, `<p hidden>No vacancies at the moment.</p>`, `<template><p>No open positions.</p></template>`,
		`<!-- <p>There are no open positions.</p> -->`, `<p v-if="jobs.length === 0">There are no open positions.</p>`, `<noscript>No vacancies.</noscript>`,
		"<p>No experience necessary. There is no dress code and no office politics.</p>", "<p>Aucune expérience n'est demandée.</p>", "<p>No agencies, please. No recruiters.</p>",
		"<p>Nie ma u nas nudy.</p>", "<p>現在、新しいオフィスを建設しています。</p>", "<p>Aucun résultat ne correspond à votre recherche d'emploi.</p>",
		"<p>We have no closed doors: our jobs are open to all.</p>", "<p>There is no better job than this.</p>", "<p>We are not just hiring for skills.</p>",
		"<p>There are no stupid questions, only open roles waiting for you.</p>", "<p>No two jobs here are the same.</p>", "<p>Kein Job wie jeder andere.</p>",
		"<p>Nos offres ne sont pas toutes publiées.</p>", "<p>Não perca as nossas vagas.</p>", "<p>No te pierdas nuestras ofertas.</p>", "<p>Niente posizioni scomode: solo ergonomia.</p>",
		"<p>Tu trouveras un emploi, pas un poste comme les autres.</p>", "<p>Não há limites para quem sonha com boas vagas.</p>", "<p>Sin experiencia previa para este puesto.</p>", "<p>Non sono necessarie esperienze per questa posizione.</p>",
		"<p>Geen ervaring nodig voor deze functie.</p>", "<p>Nie ma znaczenia, jakie stanowisko wybierzesz.</p>", "<p>U nás není místo pro nudu.</p>", "<p>Ofislerimizde kıyafet kuralı bulunmamaktadır.</p>",
		"<p>採用に学歴は関係ありません。</p>", "<p>채용에 나이 제한이 없습니다.</p>", "<p>Nu există limite pentru cine vrea.</p>", "<p>Нет ничего лучше, чем работа у нас.</p>", "<p>没有人是一座孤岛。</p>",
		"<p>No hay nada como trabajar con amigos.</p>", "<p>Keine Stelle ist wie die andere.</p>", "<p>Il n'y a pas de petit métier.</p>", "<p>No agency calls about our roles.</p>", "<p>We do not charge candidates for any job.</p>",
		"<p>There is no deadline: our roles stay open until filled.</p>",
		"<p>No open roles? Send us your CV.</p>", "<p>Keine offenen Stellen? Dann schreib uns.</p>", "<p>No open roles for you！？ Write anyway.</p>",
		`<p>No open positions</p><div class="job">{{ job.title }}</div>`,
		`<h2>Sales</h2><p>No open positions.</p><h2>Workshop</h2><div class="job-list"></div><script src="/jobs.js"></script>`,
		"<p>We currently do not offer internships.</p>",
		"<p>There are no other open positions.</p>", "<p>Derzeit haben wir keine weiteren Stellen.</p>", "<p>Aucune offre de stage n'est disponible.</p>",
		"<div>E-mail <span>채용마감</span></div>",
		"<p>Something went wrong. No jobs found.</p>", "<p>Unable to load jobs. There are no open positions.</p>",
	} {
		t.Run(sentence, func(t *testing.T) {
			t.Parallel()
			r := readQuietly(t, anywhere(emptyPage(sentence)), listAddress)
			require.NotEqual(t, boardwatch.HealthOK, r.Health)
		})
	}
}

// Pages in trouble say so in many languages, and none of them is an empty board.
func TestReadSickPage(t *testing.T) {
	t.Parallel()
	page := func(title, body string) []byte {
		return fmt.Appendf(nil, `<!doctype html><html><head><title>%s</title></head><body><nav><a href="/">Home</a></nav><main>%s</main></body></html>`, title, body)
	}
	for reason, pages := range map[string][][]byte{
		"does not exist": {
			page("404 Not Found", "<h1>Oops</h1>"), page("Page not found | Pumps", "<h1>Page not found</h1>"), page("Seite nicht gefunden", ""), page("Page introuvable", "<p>Il n'y a aucune offre.</p>"),
			page("Pumps", "<h1>Página no encontrada</h1>"), page("Pumps", "<h1>Pagina non trovata</h1>"), page("Pumps", "<h1>Pagina niet gevonden</h1>"), page("Pumps", "<h1>Sidan kunde inte hittas</h1>"),
			page("Pumps", "<h1>Nie znaleziono strony</h1>"), page("Pumps", "<h1>Страница не найдена</h1>"), page("Pumps", "<h1>お探しのページは見つかりません</h1>"), page("Pumps", "<h1>页面不存在</h1>"),
			page("Pumps", "<h1>Stránka nenalezena</h1>"), page("Pumps", "<h1>Página não encontrada</h1>"), page("Pumps", "<h1>Siden blev ikke fundet</h1>"), page("Pumps", "<h1>요청하신 페이지를 찾을 수 없습니다</h1>"),
		},
		"maintenance": {
			page("Down for maintenance", "<p>Back soon.</p>"), page("Pumps", "<h1>Wir sind gleich zurück</h1><p>Wartungsarbeiten</p>"), page("Site en maintenance", ""), page("En mantenimiento", ""),
			page("Sito in manutenzione", ""), page("Pumps", "<h1>We'll be right back</h1>"), page("メンテナンス中", ""), page("Технические работы", ""), page("Przerwa techniczna", ""),
		},
		"sign in": {
			page("Sign in", `<form><input type="password"></form>`), page("Anmelden", `<form><input type="text" name="user"></form>`), page("Log in to continue", `<form><input type="email"></form>`),
			page("Pumps", `<h1>Connexion</h1><form><input name="email"></form>`),
		},
		"could not be loaded": {
			page("Careers", "<h1>Careers</h1><p>We could not load our job listings. Please try again later.</p>"), page("Karriere", "<p>Die Stellenangebote konnten leider nicht geladen werden.</p>"),
			page("Carrières", "<p>Une erreur est survenue lors du chargement des offres.</p>"), page("Empleo", "<p>Se ha producido un error al cargar las ofertas.</p>"), page("採用", "<p>エラーが発生しました。</p>"),
			page("Careers", "<p>Oops! Something went wrong while loading.</p>"), page("Вакансии", "<p>Не удалось загрузить вакансии.</p>"),
		},
		"consent":   {page("Before you continue to Pumps", "<h1>Before you continue</h1><form><button>Accept all</button></form>")},
		"has moved": {page("We have moved", "<p>Our careers site is now elsewhere.</p>"), page("Pumps", "<h1>This page has moved</h1>")},
		"a browser": {page("Careers", `<h1>Open positions</h1><div class="jobs-skeleton skeleton"></div><p>Pumps keep cities dry. We make them, with care, since 1950, in two halls by the river. Our people stay for long, and they tell us why: the work matters, and the neighbours say thank you.</p>`)},
		"but links to": { // one part of the list is empty, and another is not
			page("Vacatures", `<h1>Werken bij ons</h1><div>Arbeiders</div><a href="/files/tuinman.pdf">Bekijk de vacature</a> <a href="/files/snoeier.pdf">Bekijk de vacature</a><div>Bedienden</div><p>Er zijn momenteel geen vacatures.</p>`),
			page("Careers", `<h1>Careers</h1><div>Workshop</div><a href="/a"><img src="1.jpg" alt=""></a><a href="/a">View vacancy</a> <a href="/b">View vacancy</a><div>Office</div><p>There are currently no vacancies.</p>`),
			page("Offres", `<h1>Recrutement</h1><div>Atelier</div><a href="/a.pdf">Voir l'offre</a> <a href="/b.pdf">Voir l'offre</a><div>Bureau</div><p>Aucune offre pour le moment.</p>`),
		},
		"cut off":     {[]byte(`<!doctype html><html><head><title>Jobs</title></head><body><main><h1>Open positions</h1><ul class="jobs"><li><a href="/jobs/1-welder">Welder</a></li><li><a href="/jobs/2-`)},
		"is empty":    {[]byte("  \n ")},
		"no roles we": {page("Pumps", "<h1>Pumps</h1><p>"+strings.Repeat("Pumps keep cities dry. ", 20)+"</p>")},
	} {
		for i, body := range pages {
			t.Run(fmt.Sprintf("%s %d", reason, i), func(t *testing.T) {
				t.Parallel()
				r := readQuietly(t, anywhere(body), listAddress)
				require.Equal(t, boardwatch.HealthFailed, r.Health, string(body))
				require.Contains(t, r.Reason, reason, string(body))
			})
		}
	}
}
