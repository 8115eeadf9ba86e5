package canonical_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/idna"

	"github.com/boardwatch/boardwatch/internal/canonical"
)

func TestEmailAddressesHaveOneForm(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"Ada@Example.COM":            "ada@example.com",
		"ada@MÜNCHEN.example":        "ada@xn--mnchen-3ya.example",
		"Ada@münchen.example":        "ada@xn--mnchen-3ya.example",
		"ADA@XN--MNCHEN-3YA.example": "ada@xn--mnchen-3ya.example",
		"ada@straße.example":         "ada@xn--strae-oqa.example",
		"Äda@example.com":            "Äda@example.com",
		"ışık@example.com":           "ışık@example.com",
		"Ada@[192.0.2.1]":            "ada@[192.0.2.1]",
		"a@b_c.example":              "a@b_c.example",
	} {
		for _, spaced := range []string{written, "  " + written + "\n"} {
			got, ok := canonical.Email(spaced)
			require.True(t, ok, spaced)
			require.Equal(t, want, got)
		}
	}
	for _, bad := range []string{
		"", "ada", "ada@", "@b", "Ada <a@b.example>", "a@b.example, c@d.example", "a b@c.example", strings.Repeat("a", 250) + "@b.example",
		"a@b.example.", "a@" + strings.Repeat("ü", 60) + "." + strings.Repeat("ü", 60) + "." + strings.Repeat("ü", 60) + "." + strings.Repeat("ü", 60) + ".example",
	} {
		_, ok := canonical.Email(bad)
		require.False(t, ok, bad)
	}
}

func TestWhatFoldingWouldMakeASCIIOfIsRefused(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{
		"v\u0130ctim@bank.test", "\u212Aate@bank.test", "victim@ban\u212A.test", "victim@b\u0130nk.test", "\u017Fam@bank.test", "victim@\uFF42ank.test",
		"\uFF56ictim@bank.test", "vic\uFB01@bank.test", "victim@bank\u3002test", "victim@ba\u00ADnk.test", "victim@ba\u200Bnk.test", "victim@bank.tes\u24E3",
	} {
		got, ok := canonical.Email(bad)
		require.False(t, ok, "%q became %q", bad, got)
	}
}

func TestHostsHaveOneForm(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"Boards.Example.COM.": "boards.example.com", "bücher.example": "xn--bcher-kva.example", "BÜCHER.example.": "xn--bcher-kva.example",
		"localhost": "localhost", "192.168.1.5": "192.168.1.5",
	} {
		got, ok := canonical.Host(written)
		require.True(t, ok, written)
		require.Equal(t, want, got)
	}
	for _, bad := range []string{"", ".", "a..b", ".a", "ban\u212A.test", "bank\uFF0Etest", "a\u00A0b.example"} {
		_, ok := canonical.Host(bad)
		require.False(t, ok, bad)
	}
}

func TestOriginsHaveOneForm(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"https://boards.example": "https://boards.example", "HTTPS://Boards.Example:443": "https://boards.example", "https://boards.example.": "https://boards.example",
		"http://boards.example:80": "http://boards.example", "http://boards.example:443": "http://boards.example:443", "https://boards.example:80": "https://boards.example:80",
		"https://bücher.example.:8443": "https://xn--bcher-kva.example:8443", "http://[0:0::1]:8080": "http://[::1]:8080", "http://192.168.1.5:08080": "http://192.168.1.5:8080",
		"https://boards.example:": "https://boards.example", "https://b%C3%BCcher.example": "https://xn--bcher-kva.example",
	} {
		got, ok := canonical.Origin(written)
		require.True(t, ok, written)
		require.Equal(t, want, got)
		again, ok := canonical.Origin(got)
		require.True(t, ok, got)
		require.Equal(t, got, again)
	}
	for _, bad := range []string{
		"", "boards.example", "ftp://boards.example", "https://", "https://a@boards.example", "https://boards.example/", "https://boards.example?", "https://boards.example#",
		"https://boards.example:99999", "https://ban\u212a.test", "https://a..b", "http://[fe80::1%25eth0]",
	} {
		_, ok := canonical.Origin(bad)
		require.False(t, ok, bad)
	}
}

// FuzzEmail writes arbitrary text, and a variation of it, as an address.
func FuzzEmail(f *testing.F) {
	for _, seed := range [][2]string{
		{"ada@northwind.example", "Ada@Northwind.Example"},
		{"v\u0130ctim@bank.test", "victim@bank.test"},
		{"\u212A@\u212A.test", "k@k.test"},
		{"a@bücher.example", "a@xn--bcher-kva.example"},
		{"a@BÜCHER.example", "a@bu\u0308cher.example"},
		{"a@\uFF42.test", "a@b.test"},
		{"a@b。test", "a@b.test"},
		{"ß@ß.test", "ss@ss.test"},
		{"ς@ς.test", "σ@σ.test"},
		{"a@xn--a.test", "a@a.test"},
		{"Ada <ada@northwind.example>", "@"},
		{"a@b\r\nBcc: c@d", "a@-.-"},
		{strings.Repeat("a", 400) + "@b.example", "a@[::1]"},
		{"ﬁ@ﬁü.test", "fi@fiü.test"},
		{"ae\u0301@e\u0301.test", "aé@é.test"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		one, ok := canonical.Email(first)
		if !ok {
			return
		}
		again, ok := canonical.Email(one)
		require.True(t, ok, "%q", one)
		require.Equal(t, one, again, "what is stored is stored the same again")
		require.Equal(t, 1, strings.Count(one, "@"))
		require.False(t, strings.ContainsFunc(one, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }), "%q", one)

		local, domain := parts(strings.TrimSpace(first))
		madeLocal, madeDomain := parts(one)
		require.True(t, sameLetters(local, madeLocal), "%q became %q", local, madeLocal)
		labels, made := strings.Split(domain, "."), strings.Split(madeDomain, ".")
		require.Len(t, made, len(labels))
		for i, label := range labels {
			if isASCII(label) {
				require.True(t, sameLetters(label, made[i]), "%q became %q", label, made[i])
				continue
			}
			readable, err := idna.ToUnicode(made[i])
			require.NoError(t, err)
			require.False(t, isASCII(readable), "%q became %q", label, made[i])
		}

		if two, ok := canonical.Email(second); ok && one == two {
			otherLocal, otherDomain := parts(strings.TrimSpace(second))
			require.True(t, sameLetters(local, otherLocal), "%q and %q are of different people", first, second)
			a, errA := idna.Lookup.ToUnicode(domain)
			b, errB := idna.Lookup.ToUnicode(otherDomain)
			if errA == nil && errB == nil && isASCII(domain) == isASCII(otherDomain) {
				require.Equal(t, a, b, "%q and %q are of different people", first, second)
			}
		}
	})
}

func parts(email string) (local, domain string) {
	at := strings.LastIndexByte(email, '@')
	return email[:at], email[at+1:]
}

// sameLetters compares two texts, letter by letter, except for the case of ASCII letters.
func sameLetters(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] && (x[i] > unicode.MaxASCII || y[i] > unicode.MaxASCII || !strings.EqualFold(string(x[i]), string(y[i]))) {
			return false
		}
	}
	return true
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}
