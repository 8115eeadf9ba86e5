package redact_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/internal/redact"
)

func TestWithoutSecrets(t *testing.T) {
	t.Parallel()
	const hook = "https://hooks.example.com/services/T000/Zk3mQ9xW4r?sig=a%2Bb%2Fc%3D%3D&v=1"
	for name, tt := range map[string]struct{ text, secret, want string }{
		"the path of an address":                   {"Cannot POST /services/T000/Zk3mQ9xW4r", hook, "Cannot POST /…"},
		"a part of it":                             {"no such hook: Zk3mQ9xW4r.", hook, "no such hook: …."},
		"its query":                                {"sig=a+b/c== is wrong, a%2bb%2Fc%3d%3D", hook, "sig=… is wrong, …"},
		"a value too short for a secret":           {"v=1 of 1", hook, "… of 1"},
		"the host and common words stay":           {"hooks.example.com offers no services", hook, "hooks.example.com offers no services"},
		"a host in the path stays":                 {"matrix.example.com knows no !room:matrix.example.com", "https://matrix.example.com/!room:matrix.example.com", "matrix.example.com knows no …"},
		"a bot's token, with and without bot":      {"bot123456:AAHdqTcvCH1 123456:AAHdqTcvCH1", "https://api.telegram.org/bot123456:AAHdqTcvCH1/sendMessage?chat_id=-100123", "… 123456:…"},
		"a name and a password":                    {"ann:opensesame", "https://ann:opensesame@hooks.example.com/", "…:…"},
		"a signing secret":                         {`{"secret":"whsec_abcdefghijk"} abcdefghijk`, "whsec_abcdefghijk", `{"secret":"…"} …`},
		"a short password where it stands alone":   {"a cat is catching", "cat", "a … is catching"},
		"JSON":                                     {`"\/services\/T000\/Zk3m\u00519xW4r"`, hook, `"\/…"`},
		"HTML":                                     {"<pre>/services/T000/Zk3m&#81;9x&#x57;4r</pre>", hook, "<pre>/…</pre>"},
		"HTML of percent of percent":               {"Zk3m&amp;#81;9%2578W4r", hook, "…"},
		"another case":                             {"ZK3MQ9XW4R", hook, "…"},
		"broken by blanks":                         {"Zk3m Q9x W4r", hook, "…"},
		"hexadecimal":                              {hex.EncodeToString([]byte("of Zk3mQ9xW4r!")), hook, "6f6620…21"},
		"a secret that has only begun":             {"no such hook: Zk3m%…", hook, "no such hook: …"},
		"a text that was cut off elsewhere":        {"no such hook…", hook, "no such hook…"},
		"a percent sign in front does not hide it": {"100%41abcdef", "41abcdef", "100%…"},
		"nothing":                                  {"", hook, ""},
		"no secret":                                {"as it is", "", "as it is"},
		"an address without a path":                {"/ is not found", "https://hooks.example.com/", "/ is not found"},
		"a path that is short":                     {"text/html for /h", "https://hooks.example.com/h", "text/html for …"},
	} {
		require.Equal(t, tt.want, redact.WithoutSecrets(tt.text, tt.secret), name)
	}
	for lead := range 3 {
		text := base64.StdEncoding.EncodeToString([]byte("xyz"[:lead] + "POST /services/T000/Zk3mQ9xW4r HTTP/1.1"))
		cleaned := redact.WithoutSecrets(text, hook)
		require.Contains(t, cleaned, "…")
		require.Less(t, len(cleaned), 32, "%s", cleaned)
	}
}

// encoders are the ways in which receivers write a character.
func encoders() []func(r rune) string {
	each := func(format string) func(r rune) string {
		return func(r rune) string {
			var out strings.Builder
			for _, b := range []byte(string(r)) {
				fmt.Fprintf(&out, format, b)
			}
			return out.String()
		}
	}
	return []func(r rune) string{
		func(r rune) string { return string(unicode.ToUpper(r)) },
		func(r rune) string { return " " + string(r) },
		func(r rune) string { return string(r) },
		each("%%%02x"), each("%%%02X"), each("=%02X"),
		func(r rune) string { return fmt.Sprintf("&#%d;", r) },
		func(r rune) string { return fmt.Sprintf("&#x%X;", r) },
		func(r rune) string { return html.EscapeString(string(r)) },
		func(r rune) string {
			if r > 0xFFFF {
				return string(r)
			}
			return fmt.Sprintf(`\u%04x`, r)
		},
		func(r rune) string {
			raw, err := json.Marshal(string(r))
			if err != nil {
				panic(err)
			}
			return string(raw[1 : len(raw)-1])
		},
	}
}

// decodings are all that a text may be decoded to, by decoders that know nothing of each other, in any order.
func decodings(text string) []string {
	all := []string{text}
	percent, escape := regexp.MustCompile(`[%=][0-9A-Fa-f]{2}`), regexp.MustCompile(`\\u[0-9A-Fa-f]{4}|\\[^u]`)
	for i := 0; i < len(all) && i < 40; i++ {
		for _, decoded := range []string{
			strings.ReplaceAll(all[i], " ", ""),
			html.UnescapeString(all[i]),
			percent.ReplaceAllStringFunc(all[i], func(s string) string {
				raw, err := hex.DecodeString(s[1:])
				if err != nil {
					panic(err)
				}
				return string(raw)
			}),
			escape.ReplaceAllStringFunc(all[i], func(s string) string {
				n, err := strconv.ParseUint(s[2:], 16, 32)
				if s[1] != 'u' || err != nil {
					return s[1:]
				}
				return string(rune(n))
			}),
		} {
			if !slices.Contains(all, decoded) {
				all = append(all, decoded)
			}
		}
	}
	return all
}

// FuzzWithoutSecrets writes a secret into a text, in a random mixture of encodings, once or twice over, and expects that
// no way to decode what is left finds it.
func FuzzWithoutSecrets(f *testing.F) {
	f.Add("opensesame", "Cannot POST /", " today", uint64(1))
	f.Add("a%41bc+d/e=f", "100%", "41", uint64(2))
	f.Add("ключ-от-двери", "\\", "&", uint64(3))
	f.Add("41abcdef", "%", ";", uint64(4))
	f.Add("&amp;\\u0041xyz", "&", "#", uint64(5))
	f.Add("o7xe2e0aZe", "78", " o", uint64(59))
	f.Fuzz(func(t *testing.T, secret, before, after string, seed uint64) {
		if !utf8.ValidString(secret) || !utf8.ValidString(before) || !utf8.ValidString(after) || strings.ContainsFunc(secret, func(r rune) bool {
			return !unicode.IsPrint(r) || unicode.IsSpace(r) || r == utf8.RuneError || r > unicode.MaxASCII && !unicode.IsLetter(r)
		}) || utf8.RuneCountInString(secret) < 6 || len(secret)+len(before)+len(after) > 200 || strings.Trim(secret, "/") == "" {
			t.Skip()
		}
		random := rand.New(rand.NewPCG(seed, 0))
		all := encoders()
		echo := secret
		for round := range 1 + random.IntN(2) {
			var out strings.Builder
			if round == 1 {
				all = all[2:] // neither another case nor blanks inside of what is encoded
			}
			uniform, mixed := random.IntN(len(all)), random.IntN(2) == 0
			for i, r := range echo {
				encode := all[uniform]
				if mixed {
					encode = all[random.IntN(len(all))]
				}
				text := encode(r)
				if r > unicode.MaxASCII && strings.EqualFold(text, string(r)) { // only the case of ASCII does not matter
					text = string(r)
				}
				if i == 0 {
					text = strings.TrimPrefix(text, " ")
				}
				out.WriteString(text)
			}
			echo = out.String()
		}
		for _, as := range []string{secret, "https://hooks.example/" + "x/" + url.PathEscape(secret) + "/y?z=1", "https://hooks.example/?token=" + url.QueryEscape(secret)} {
			for _, text := range []string{echo, before + echo + after} {
				cleaned := redact.WithoutSecrets(text, as)
				require.NotContains(t, cleaned, echo)
				for _, decoded := range decodings(cleaned) {
					require.NotContains(t, strings.ToLower(decoded), strings.ToLower(secret), "%q in %q as %s", secret, text, as)
				}
			}
		}
		for _, form := range []string{base64.StdEncoding.EncodeToString([]byte(before + secret + after)), base64.URLEncoding.EncodeToString([]byte(before + secret + after))} {
			cleaned := redact.WithoutSecrets(form, secret)
			for part := range strings.SplitSeq(cleaned, "…") {
				for lead := range 4 {
					raw, _ := base64.RawStdEncoding.DecodeString(strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(part[min(lead, len(part)):], "=")))
					require.NotContains(t, string(raw), secret)
				}
			}
		}
	})
}
