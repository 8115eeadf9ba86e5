package fact

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Pay is what fields say of pay: amounts, currency and period as the source has them, each perhaps empty, and the
// source's own words. Amounts without a currency are told by their words alone.
func Pay(least, most, currency, period, text string) boardwatch.Pay {
	p := boardwatch.Pay{Currency: currencyCode(currency), Period: payPeriod(period), Text: Line(text)}
	large := p.Period != boardwatch.PerHour
	var before, after string // the signs of both amounts
	p.Min, before = amount(least, large)
	p.Max, after = amount(most, large)
	p.Currency = cmp.Or(p.Currency, currencyCode(before), currencyCode(after))
	if p.Max != 0 && p.Max < p.Min {
		p.Min, p.Max = p.Max, p.Min
	}
	if p.Min == 0 && p.Max == 0 {
		for _, words := range [...]string{p.Text, p.Currency + " " + p.Text} {
			if label, ok := PayLabel(words); ok {
				label.Currency, label.Period, label.Text = cmp.Or(label.Currency, p.Currency), cmp.Or(label.Period, p.Period), p.Text
				return label
			}
		}
		return boardwatch.Pay{Text: p.Text}
	}
	return p
}

var (
	// amountForm is an amount alone, perhaps with the sign of its currency.
	amountForm = regexp.MustCompile(`^([A-Z]{3}|[A-Z]{0,2}[$€£₹₩₪₺₽₴₫฿₱])?\s?([0-9][0-9.,]*)\s?([kK])?\s?([A-Z]{3}|[$€£₹₩₪₺₽₴₫฿₱]|zł|Kč|Ft)?$`)
	// dotted is an amount with dots between thousands.
	dotted = regexp.MustCompile(`^[0-9]{1,3}(?:\.[0-9]{3})+$`)
	// commaed is one with a decimal comma.
	commaed = regexp.MustCompile(`^(?:[0-9]{1,3}(?:\.[0-9]{3})+|[0-9]+),[0-9]{1,2}$`)
)

// between takes out what stands between thousands besides dots and commas.
//
//nolint:gochecknoglobals // a constant table
var between = strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "'", "", "’", "")

// amount reads a number as fields have it, and the sign beside it. An hour's pay with three decimals is no large one, so dots in
// it part no thousands.
func amount(text string, large bool) (n float64, sign string) {
	text = strings.TrimSpace(text)
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || large && dotted.MatchString(text) {
		m := amountForm.FindStringSubmatch(between.Replace(text))
		if m == nil {
			return 0, ""
		}
		if commaed.MatchString(m[2]) || large && dotted.MatchString(m[2]) {
			m[2] = strings.NewReplacer(".", "", ",", ".").Replace(m[2])
		}
		if n, err = strconv.ParseFloat(strings.ReplaceAll(m[2], ",", ""), 64); m[3] != "" {
			n *= 1000
		}
		sign = cmp.Or(m[1], m[4])
	}
	if err != nil || n < 0 || n > 1e12 || n != n {
		return 0, ""
	}
	return n, sign
}

func currencyCode(text string) string {
	text = strings.ToUpper(strings.TrimSpace(text))
	if code, ok := currencySigns[text]; ok {
		return code
	}
	if len(text) != 3 || strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return ""
	}
	return text
}

//nolint:gochecknoglobals // constant tables
var (
	currencySigns = map[string]string{
		"€": "EUR", "£": "GBP", "US$": "USD", "CA$": "CAD", "C$": "CAD", "AU$": "AUD", "A$": "AUD", "NZ$": "NZD", "SG$": "SGD", "S$": "SGD", "HK$": "HKD", "R$": "BRL",
		"₹": "INR", "₩": "KRW", "₪": "ILS", "₺": "TRY", "₽": "RUB", "₴": "UAH", "₫": "VND", "฿": "THB", "ZŁ": "PLN", "KČ": "CZK", "FT": "HUF", "₱": "PHP",
	}
	periods = []kind[boardwatch.PayPeriod]{
		words(boardwatch.PayPeriod(""), "bi |semi |biweek|bimonth|semimonth|every other|every second|twice|half|two |2 "),
		words(boardwatch.PerHour, "hour|hr |hrs |hur |h |stunde|std |heure|hora|ora |uur|timme|time |tunti|godz|hodin|小时|時給|시급|час"),
		words(boardwatch.PerDay, "day|daily|tag |täglich|jour|día|dia |giorno|dag |dzień|den |päivä|日"),
		words(boardwatch.PerWeek, "week|wee |woche|wöchent|semaine|semana|settimana|vecka|uge|viikko|tydz|týden|周|週"),
		words(boardwatch.PerMonth, "month|mon |mo |pcm |monat|mois|mensuel|mes |mensual|mês|mensal|mese|mensile|maand|månad|måned|kuukau|miesi|měsíc|月|월|месяц"),
		words(boardwatch.PerYear, "year|annu|ann |annual|yr |y |pa |p a |per annum|jahr|jährlich|an |année|año|anual|ano |anno|jaar|år |vuosi|rok |roczn|ročn|年|연|год"),
	}
	payForm = regexp.MustCompile(`^(?:(?i:from|up to|ab|bis|bis zu|à partir de|desde|da|van|vanaf) )?` +
		`([A-Z]{3}|[A-Z]{0,2}[$€£₹₩₪₺₽₴₫฿₱])?\s?([0-9][0-9.,'’ ]*[0-9]|[0-9])\s?([kK])?\s?([A-Z]{3}|[$€£₹₩₪₺₽₴₫฿₱]|zł|Kč|Ft)?(?:/([a-z]{1,8}))?` +
		`(?:\s?(?:-|–|—|to|bis|à|a|do|tot)\s?([A-Z]{3}|[A-Z]{0,2}[$€£₹₩₪₺₽₴₫฿₱])?\s?([0-9][0-9.,'’ ]*[0-9]|[0-9])\s?([kK])?)?` +
		`\s?([A-Z]{3}|[$€£₹₩₪₺₽₴₫฿₱]|zł|Kč|Ft)?\s?(?i:gross|brutto|bruto|brut)?\s?(?:(?:/|per|pro|par|por|al|a|an)?\s?([\pL. ]{1,16}))?$`)
	upTo = regexp.MustCompile(`^(?i:up to|bis|bis zu) `)
)

// payPeriod is the time that a word of a field names.
func payPeriod(text string) boardwatch.PayPeriod {
	period, _ := find(periods, text)
	return period
}

// PayLabel is what a text says that is nothing but pay, with a currency: "€60k–80k", "$25 - $30 / hour". Anything else is
// none.
func PayLabel(text string) (p boardwatch.Pay, ok bool) {
	text = Line(text)
	if len(text) > 60 {
		return p, false
	}
	m := payForm.FindStringSubmatch(text)
	if m == nil {
		return p, false
	}
	currency := ""
	for _, at := range [...]int{1, 4, 6, 9} {
		if currency == "" && m[at] != "" {
			currency = m[at]
		}
	}
	p = boardwatch.Pay{Min: written(m[2]), Max: written(m[7]), Currency: currencyCode(currency), Text: text}
	if period := cmp.Or(m[10], m[5]); period != "" {
		if p.Period = payPeriod(period); p.Period == "" {
			return boardwatch.Pay{}, false
		}
	}
	if m[3] != "" || m[8] != "" && p.Min < 1000 {
		p.Min *= 1000
	}
	if m[8] != "" || m[3] != "" && p.Max < 1000 {
		p.Max *= 1000
	}
	if upTo.MatchString(text) && p.Max == 0 {
		p.Min, p.Max = 0, p.Min
	}
	known := p.Currency != "" || currency == "$" // whose dollar it is, the words may say
	if !known || p.Min == 0 && p.Max == 0 || p.Max != 0 && p.Max < p.Min {
		return boardwatch.Pay{}, false
	}
	return p, true
}

// written is a number as people write it: the last mark before one or two digits is a decimal one.
func written(text string) float64 {
	text = between.Replace(text)
	whole, fraction := text, ""
	if at := strings.LastIndexAny(text, ".,"); at >= 0 && len(text)-at-1 < 3 {
		whole, fraction = text[:at], text[at+1:]
	}
	n, _ := amount(strings.NewReplacer(".", "", ",", "").Replace(whole)+"."+fraction, false)
	return n
}
