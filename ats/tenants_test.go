package ats_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/ats"
	"github.com/boardwatch/boardwatch/boardwatch"
)

// The tests of this file hold every adapter to one rule: two employers never share a board, and no vendor is an employer.

// tenantPart is a part of an address that an adapter's forms name, such as {company}.
var tenantPart = regexp.MustCompile(`\{([a-z]+)\}`)

// tenantValues are pairs of what may stand in such a part, in the forms that systems give to it.
var tenantValues = [][2]string{
	{"northwind", "lighthouse"},
	{"4711", "4712"},
	{"1", "2"},
	{"en", "de"},
	{"us2", "em3"},
	{"0d7a3b1c-6f0e-4b53-9a51-2f6f0c1d8e90", "1d7a3b1c-6f0e-4b53-9a51-2f6f0c1d8e91"},
	{"0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"},
	{"abcdefgh12345678", "hgfedcba87654321"},
	{"nw0jdnwrn2zhcv", "lh1kdnwrn2zhcw"},
	{"1A.23C", "2A.24D"},
	{"NOR1000NORT", "LIG1000LIGH"},
	{"I017", "I018"},
	{"19000101_000001", "9201_2"},
}

// notTheTenant are the parts that do not say whose board it is: of every system, and of single ones.
var notTheTenant = map[string][]string{
	"":               {"role", "title", "language", "department", "country", "region"},
	"cats":           {"portal"},  // of one company, which has one list
	"getro":          {"company"}, // one that the board gathers
	"gohire":         {"company"}, // a name beside the id
	"jobylon":        {"name"},    // likewise
	"paylocity":      {"name"},    // likewise
	"successfactors": {"n"},       // a data centre, one of several that a company's host may have
	"taleo":          {"server"},  // of the client's cluster
}

// fillForm puts one value into each part of an address' form.
func fillForm(form string, values map[string]string) string {
	return "https://" + tenantPart.ReplaceAllStringFunc(form, func(part string) string { return values[part[1:len(part)-1]] })
}

// boardIn is the board that an adapter sees in an address.
func boardIn(tb testing.TB, a ats.Adapter, address string) string {
	tb.Helper()
	u, err := url.Parse(address)
	require.NoError(tb, err)
	board, ok := a.Match(u)
	if !ok {
		return ""
	}
	return board
}

// fitting is for each part of the form a pair of values with which the adapter knows the address; nil if there are none.
func fitting(tb testing.TB, a ats.Adapter, form string) map[string][2]string {
	tb.Helper()
	var names []string
	for _, m := range tenantPart.FindAllStringSubmatch(form, -1) {
		names = append(names, m[1])
	}
	var try func(chosen map[string][2]string, rest []string) bool
	chosen := make(map[string][2]string)
	try = func(chosen map[string][2]string, rest []string) bool {
		if len(rest) > 0 {
			for _, pair := range tenantValues {
				chosen[rest[0]] = pair
				if try(chosen, rest[1:]) {
					return true
				}
			}
			return false
		}
		first, second := make(map[string]string), make(map[string]string)
		for name, pair := range chosen {
			first[name], second[name] = pair[0], pair[1]
		}
		return boardIn(tb, a, fillForm(form, first)) != "" && boardIn(tb, a, fillForm(form, second)) != ""
	}
	if !try(chosen, names) {
		return nil
	}
	return chosen
}

// TestTwoEmployersNeverShareABoard puts two employers into every form of address that adapters name, and into every
// address of their fixtures.
func TestTwoEmployersNeverShareABoard(t *testing.T) {
	t.Parallel()
	forms, addresses := 0, 0
	for _, a := range ats.All() {
		before := forms
		for _, form := range about(a).Addresses {
			if strings.HasPrefix(form, "{host}/") {
				continue // a company's own domain
			}
			chosen := fitting(t, a, form)
			require.NotNil(t, chosen, "%s does not know its own address %s with any of the values that are tried", a.Name(), form)
			first := make(map[string]string)
			for name, pair := range chosen {
				first[name] = pair[0]
			}
			board := boardIn(t, a, fillForm(form, first))
			for name, pair := range chosen {
				if slices.Contains(notTheTenant[""], name) || slices.Contains(notTheTenant[a.Name()], name) {
					continue
				}
				second := maps.Clone(first)
				second[name] = pair[1]
				require.NotEqual(t, board, boardIn(t, a, fillForm(form, second)), "%s: %s and %s are one board", a.Name(), fillForm(form, first), fillForm(form, second))
				forms++
			}
		}
		require.True(t, forms > before || a.Name() == "phenom", "no address of %s tells its companies apart", a.Name()) // its boards are at companies' own domains
		for line := range strings.Lines(string(fixture(t, a.Name(), "addresses.txt"))) {
			address, board, _ := strings.Cut(strings.TrimSpace(line), " -> ")
			other := northwindOrLighthouse.Replace(address)
			if strings.HasPrefix(line, "#") || other == address || strings.Contains(address, "%6e") || northwindOrLighthouse.Replace(board) == board {
				continue
			}
			require.Equal(t, northwindOrLighthouse.Replace(board), boardIn(t, a, other), other)
			addresses++
		}
	}
	t.Logf("%d parts of the forms, and %d addresses of the fixtures, of %d adapters", forms, addresses, len(ats.All()))
}

var northwindOrLighthouse = strings.NewReplacer("northwind", "lighthouse", "Northwind", "Lighthouse", "NORTHWIND", "LIGHTHOUSE", "NorthWind", "LightHouse")

func about(a ats.Adapter) ats.About { return a.(ats.Described).About() } //nolint:forcetypeassert // TestAbout

// tenantsOnly are domains below which a vendor has no hosts of its own, so that any label is a customer's.
var tenantsOnly = []string{
	"wd{n}.myworkdayjobs.com", "fa.{region}.oraclecloud.com", "fa.oraclecloud.com", "fa.ocs.oraclecloud.eu", "rec.pro.ukg.net",
	"saashr.com", "workforceready.eu", // named hosts of the vendor, on which companies have paths
	"dayforcehcm.com", "tbe.taleo.net", // likewise
}

// TestVendorsOwnNamesAreNoBoards tries every one of the vendors' own names as the label before every vendor's domain.
func TestVendorsOwnNamesAreNoBoards(t *testing.T) {
	t.Parallel()
	require.GreaterOrEqual(t, len(ats.VendorNames()), 80)
	refused := 0
	for _, a := range ats.All() {
		paths := false
		domains := make(map[string]string)
		for _, form := range about(a).Addresses {
			host, _, _ := strings.Cut(form, "/")
			_, domain, ok := strings.Cut(host, "}.")
			paths = paths || !strings.HasPrefix(host, "{")
			if ok && strings.HasPrefix(host, "{") && !slices.Contains(tenantsOnly, domain) {
				domains[domain] = form
			}
		}
		for domain, form := range domains {
			for _, name := range ats.VendorNames() {
				refused++
				if address := "https://" + name + "." + domain + "/"; !strings.Contains(domain, "{") {
					require.Empty(t, boardIn(t, a, address), address)
				}
				if parts := tenantPart.FindAllString(strings.TrimSuffix(strings.SplitN(form, "/", 2)[0], domain), -1); len(parts) > 1 {
					continue // "{portal}-{company}"
				}
				values := map[string]string{"company": name, "board": name, "account": name, "tenant": name}
				for part, pair := range fitting(t, a, form) {
					if values[part] == "" {
						values[part] = pair[0]
					}
				}
				require.Empty(t, boardIn(t, a, fillForm(form, values)), fillForm(form, values))
			}
		}
		for domain, form := range domains {
			values := make(map[string]string)
			for part, pair := range fitting(t, a, form) {
				values[part] = pair[0]
			}
			board := boardIn(t, a, fillForm(form, values))
			host, rest, _ := strings.Cut(board, "/")
			if paths || strings.Contains(domain, "{") {
				continue // a name that is no label may be a path
			}
			for _, name := range ats.VendorNames() {
				token := strings.TrimSuffix(name+strings.TrimLeft(host, "abcdefghijklmnopqrstuvwxyz0123456789_-")+"/"+rest, "/")
				nobody := doerFunc(func(*http.Request) (*http.Response, error) { panic("asked for " + token) })
				reading, err := ats.Read(t.Context(), a, nobody, token)
				require.NoError(t, err)
				require.True(t, reading.Unknown, "%s: %s", a.Name(), token)
				require.Equal(t, a.Name()+" has no such board: no company's board has this name; use the address at which the company itself shows its roles", reading.Reason)
			}
		}
	}
	t.Logf("%d hosts of %d names are refused", refused, len(ats.VendorNames()))
	for _, address := range []string{
		"https://apply.hrmdirect.com/", "https://reports.hrmdirect.com/", "https://care.icims.com/", "https://community.icims.com/x",
		"https://account.zhiye.com/", "https://apihub.zhiye.com/", "https://secure.onlyfy.jobs/", "https://admin.easycruit.com/",
		"https://sso.kenjo.io/", "https://my.hirehive.com/", "https://employee.umantis.com/",
	} {
		_, _, ok := ats.Match(must(url.Parse(address)), ats.All())
		require.False(t, ok, address)
	}
}

// otherTenant makes a text about the normal board one about another employer's: with another name, and with other ids
// where the first answers name those that later requests need.
func otherTenant(n normal) func(string) string {
	pairs := []string{"northwind", "lighthouse", "Northwind", "Lighthouse", "NORTHWIND", "LIGHTHOUSE"}
	if !strings.Contains(strings.ToLower(n.board), "northwind") {
		parts := strings.Split(n.board, "/")
		part, _, _ := strings.Cut(parts[0], ".")
		if i := slices.IndexFunc(parts, func(p string) bool { return strings.ContainsAny(p, "123456789") && !strings.Contains(p, ".") }); i > 0 {
			part = parts[i]
		}
		pairs = append(pairs, part, shifted(part), url.PathEscape(part), url.PathEscape(shifted(part)))
	}
	said := ""
	for _, e := range n.answers {
		for _, id := range someID.FindAllString(e.Request+" "+strings.Join(e.Sends, " "), -1) {
			if strings.Contains(said, id) && !slices.Contains(pairs, id) {
				pairs = append(pairs, id, shifted(id))
			}
		}
		for _, header := range e.With {
			if _, key, _ := strings.Cut(header, " "); len(key) > 7 && strings.Contains(said, key) && !slices.Contains(pairs, key) {
				pairs = append(pairs, key, shifted(key))
			}
		}
		said += string(e.body)
	}
	return strings.NewReplacer(pairs...).Replace
}

var someID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{16,}|[0-9]{4,}`)

// shifted is another text of the same form.
func shifted(s string) string {
	other := strings.Map(func(r rune) rune {
		if r >= '1' && r <= '9' {
			return '1' + (r-'1'+1)%9
		}
		return r
	}, s)
	if other == s {
		return "other" + s
	}
	return other
}

// witness records what is asked for.
type witness struct {
	*world

	asked []string
}

func (w *witness) Do(r *http.Request) (*http.Response, error) {
	body := ""
	if r.Body != nil {
		content := must(io.ReadAll(r.Body))
		body, r.Body = string(content), io.NopCloser(bytes.NewReader(content))
	}
	w.asked = append(w.asked, fmt.Sprint(r.Method, " ", r.URL, " ", body, " ", r.Header))
	return w.world.Do(r)
}

// sharedRequests are requests whose answers say the same for all companies, and nothing of roles.
var sharedRequests = map[string]string{
	"welcometothejungle": "GET https://www.welcometothejungle.com/api/env ", // keys of the search
}

func TestTwoEmployersAreReadByRequestsOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, a := range ats.All() {
		t.Run(a.Name(), func(t *testing.T) {
			t.Parallel()
			one := normalBoard(t, a)
			swap := otherTenant(one)
			other := one
			other.board, other.answers = swap(one.board), nil
			require.NotEqual(t, one.board, other.board)
			for _, e := range one.answers {
				e.Request, e.Cookie = swap(e.Request), swap(e.Cookie)
				e.body = []byte(swap(string(e.body)))
				e.With, e.Header, e.Sends = maps.Clone(e.With), maps.Clone(e.Header), slices.Clone(e.Sends)
				for name := range e.With {
					e.With[name] = swap(e.With[name])
				}
				for name := range e.Header {
					e.Header[name] = swap(e.Header[name])
				}
				for i := range e.Sends {
					e.Sends[i] = swap(e.Sends[i])
				}
				other.answers = append(other.answers, e)
			}
			for _, host := range one.hosts {
				other.hosts = append(other.hosts, swap(host))
			}
			var readings []boardwatch.Reading
			var asked [][]string
			for _, n := range []normal{one, other} {
				w := &witness{world: n.world(t)}
				reading, err := ats.Read(t.Context(), a, w, n.board)
				require.NoError(t, err)
				readings, asked = append(readings, reading.Normalize()), append(asked, w.asked)
			}
			require.Equal(t, boardwatch.HealthOK, readings[1].Health, readings[1].Reason)
			require.Len(t, readings[1].Postings, len(readings[0].Postings))
			for _, request := range asked[1] {
				if strings.Contains(request, sharedRequests[a.Name()]) && sharedRequests[a.Name()] != "" {
					continue
				}
				require.NotContains(t, asked[0], request, "one request for two employers")
			}
		})
	}
}
