package foreign_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"

	"github.com/boardwatch/boardwatch/internal/foreign"
)

// careers are pages of invented companies, in the charsets that their countries have used.
var careers = []struct {
	language string
	charsets []string
	wrong    string // what such pages are called by mistake, beside UTF-8
	heading  string
	roles    []string
}{
	{"de", []string{"windows-1252", "macintosh"}, "", "Offene Stellen in Köln", []string{"Entwickler für Straßenbahnen", "Bürokauffrau (m/w/d)", "Geschäftsführer München", "Prüfer Qualität"}},
	{"fr", []string{"windows-1252"}, "", "Postes à pourvoir", []string{"Ingénieur qualité – Élancourt", "Chargé d’études", "Magasinier préparateur", "Téléconseillère"}},
	{"es", []string{"windows-1252"}, "", "Ofertas de empleo en Málaga", []string{"Técnico de producción", "Diseñadora gráfica", "Peón de almacén"}},
	{"pt", []string{"windows-1252"}, "", "Vagas em São Paulo", []string{"Técnico de manutenção", "Estágio em comunicação", "Farmacêutico"}},
	{"it", []string{"windows-1252"}, "", "Posizioni aperte a Forlì", []string{"Addetto alla qualità", "Addetto alla contabilità"}},
	{"sv", []string{"windows-1252"}, "", "Lediga tjänster i Göteborg", []string{"Säljare till Malmö", "Förskollärare", "Låssmed"}},
	{"da", []string{"windows-1252"}, "", "Ledige stillinger i Århus", []string{"Sygeplejerske på Sjælland", "Køkkenmedarbejder", "Rådgiver"}},
	{"is", []string{"windows-1252"}, "", "Laus störf í Reykjavík", []string{"Hjúkrunarfræðingur", "Þjónustufulltrúi", "Forritari við bókhald", "Sérfræðingur á Þróunarsviði"}},
	{"pl", []string{"windows-1250", "iso-8859-2"}, "windows-1252", "Oferty pracy w Łodzi", []string{"Księgowy główny", "Specjalista ds. sprzedaży", "Młodszy inżynier jakości", "Ślusarz, spawacz"}},
	{"cs", []string{"windows-1250", "iso-8859-2"}, "windows-1252", "Volná místa v Plzni", []string{"Účetní, mzdová agenda", "Řidič vysokozdvižného vozíku", "Mladší programátor", "Skladník / skladnice směna"}},
	{"sk", []string{"windows-1250"}, "", "Voľné pracovné miesta", []string{"Účtovníčka", "Vodič kamiónu", "Elektrikár – údržbár", "Čašník v reštaurácii"}},
	{"hu", []string{"windows-1250"}, "", "Állásajánlatok Győrben", []string{"Könyvelő", "Gépjárművezető", "Minőségellenőr", "Műszaki ügyintéző"}},
	{"hr", []string{"windows-1250"}, "", "Otvorena radna mjesta", []string{"Računovođa", "Vozač teretnih vozila", "Inženjer za održavanje", "Pomoćni kuhar – Šibenik"}},
	{"ro", []string{"windows-1250"}, "", "Locuri de muncă", []string{"Inginer de producţie", "Asistentă medicală", "Şofer în Braşov", "Vânzător"}},
	{"tr", []string{"windows-1254"}, "windows-1252", "Açık pozisyonlar", []string{"Satış temsilcisi", "Yazılım geliştirici", "İnsan kaynakları uzmanı", "Muhasebe görevlisi – Eskişehir"}},
	{"lt", []string{"windows-1257"}, "", "Laisvos darbo vietos", []string{"Pardavimų vadybininkas", "Šaltkalvis", "Buhalterė – Šiauliai", "Sandėlininkas į Kauną"}},
	{"ru", []string{"windows-1251", "koi8-r", "ibm866", "iso-8859-5"}, "windows-1252", "Вакансии в Костроме", []string{"Слесарь-ремонтник", "Бухгалтер по расчёту", "Водитель погрузчика", "Менеджер по продажам"}},
	{"uk", []string{"windows-1251", "koi8-u"}, "windows-1252", "Відкриті вакансії", []string{"Менеджер зі збуту", "Інженер-програміст", "Бухгалтер (Київ)", "Комірник на склад у Їжаківці"}},
	{"bg", []string{"windows-1251"}, "", "Свободни работни места", []string{"Счетоводител", "Шофьор на камион", "Продавач-консултант"}},
	{"el", []string{"windows-1253", "iso-8859-7"}, "windows-1252", "Θέσεις εργασίας", []string{"Λογιστής Α τάξης", "Μηχανικός παραγωγής", "Υπάλληλος γραφείου", "Οδηγός φορτηγού"}},
	{"he", []string{"windows-1255"}, "windows-1252", "משרות פתוחות", []string{"מהנדסת תוכנה", "מנהל חשבונות", "נהג חלוקה"}},
	{"ar", []string{"windows-1256"}, "windows-1252", "الوظائف الشاغرة", []string{"محاسب أول", "مهندس برمجيات", "مندوب مبيعات", "سائق شاحنة"}},
	{"th", []string{"windows-874"}, "windows-1252", "ตำแหน่งงานว่าง", []string{"พนักงานบัญชี", "วิศวกรซอฟต์แวร์", "เจ้าหน้าที่ขาย"}},
	{"ja", []string{"shift_jis", "euc-jp", "iso-2022-jp"}, "windows-1252", "採用情報", []string{"経理スタッフ", "ソフトウェアエンジニア", "営業職（大阪）", "トラックの運転手を募集しています"}},
	{"zh", []string{"gbk", "gb18030"}, "windows-1252", "招聘信息", []string{"财务经理", "软件工程师（杭州）", "销售代表", "仓库管理员"}},
	{"zh", []string{"big5"}, "windows-1252", "徵才資訊", []string{"會計專員", "軟體工程師", "業務代表（臺中）", "倉管人員"}},
	{"ko", []string{"euc-kr"}, "windows-1252", "채용 공고", []string{"회계 담당자", "소프트웨어 개발자", "영업 사원 (부산)", "물류 관리자"}},
}

func careersPage(heading string, roles []string, head string, lang string) string {
	var b strings.Builder
	b.WriteString("<!DOCTYPE html><html" + lang + "><head>" + head + "<title>" + heading + "</title></head><body><h1>" + heading + "</h1><ul>")
	for i, role := range roles {
		fmt.Fprintf(&b, "<li><a href=\"/jobs/%d\">%s</a></li>", i+1, role)
	}
	return b.String() + "</ul></body></html>"
}

func TestUTF8(t *testing.T) {
	t.Parallel()
	for _, c := range careers {
		for _, name := range c.charsets {
			e, _ := charset.Lookup(name)
			if name == "gb18030" {
				e, _ = charset.Lookup("gbk")
			}
			require.NotNil(t, e, name)
			for label, said := range map[string]string{
				"declared": name, "undeclared": "", "declared as UTF-8": "utf-8", "declared as another": c.wrong,
			} {
				if label == "declared as another" && said == "" {
					continue
				}
				for _, lang := range []string{"", ` lang="` + c.language + `"`} {
					if name == "macintosh" && label != "declared" {
						continue
					}
					head := ""
					if said != "" {
						head = `<meta charset="` + said + `">`
					}
					text := careersPage(c.heading, c.roles, head, lang)
					t.Run(c.language+" in "+name+" "+label+lang, func(t *testing.T) {
						t.Parallel()
						require.Equal(t, text, string(foreign.UTF8(encoded(t, e, text), "text/html")))
						if said != "" {
							text := careersPage(c.heading, c.roles, "", lang)
							require.Equal(t, text, string(foreign.UTF8(encoded(t, e, text), "text/html; charset="+said)), "by the header")
						}
					})
				}
			}
		}
	}
}

func encoded(t *testing.T, e encoding.Encoding, text string) []byte {
	t.Helper()
	out, err := e.NewEncoder().Bytes([]byte(text))
	require.NoError(t, err)
	return out
}

func TestUTF8ReadsUTF16WithAndWithoutItsMark(t *testing.T) {
	t.Parallel()
	for _, c := range careers {
		text := careersPage(c.heading, c.roles, "", "")
		for _, order := range []unicode.Endianness{unicode.LittleEndian, unicode.BigEndian} {
			for _, mark := range []unicode.BOMPolicy{unicode.UseBOM, unicode.IgnoreBOM} {
				for _, said := range []string{"", "; charset=utf-16", "; charset=utf-8"} {
					require.Equal(t, text, string(foreign.UTF8(encoded(t, unicode.UTF16(order, mark), text), "text/html"+said)), "%s %v %v", c.language, order, mark)
				}
			}
		}
	}
}

func TestUTF8KeepsUTF8(t *testing.T) {
	t.Parallel()
	for _, c := range careers {
		for _, said := range []string{"", "utf-8", "iso-8859-1", "windows-1251", "shift_jis", "klingon"} {
			text := careersPage(c.heading, c.roles, "", "")
			require.Equal(t, text, string(foreign.UTF8([]byte(text), "text/html; charset="+said)))
			require.Equal(t, text, string(foreign.UTF8([]byte("\ufeff"+text), "text/html; charset="+said)))
		}
		text := "<meta charset=utf-8>" + careersPage(c.heading, c.roles, "", "")
		cut := text[:len(text)-30] + "\xc3" + text[len(text)-30:]
		require.Equal(t, cut, string(foreign.UTF8([]byte(cut), "")), "a letter cut in two")
	}
}

func FuzzUTF8(f *testing.F) {
	f.Add([]byte("<meta charset=big5>\xa5\x40\xff"), "text/html; charset=gbk")
	f.Add([]byte("\xff\xfe<\x00"), "")
	f.Add([]byte("\x1b$B:NMQ\x1b(B"), "text/html; charset=iso-2022-jp")
	f.Fuzz(func(t *testing.T, text []byte, contentType string) {
		got := foreign.UTF8(text, contentType)
		require.LessOrEqual(t, len(got), 3*len(text)+3)
		require.Equal(t, string(got), string(foreign.UTF8(text, contentType)), "the same each time")
	})
}
