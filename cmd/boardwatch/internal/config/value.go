package config

import (
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
)

// Secret is a setting that is never shown whole: a key, or an address that may hold a password.
type Secret string

// String is the secret made harmless: an address without its password, or dots.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	u, err := url.Parse(string(s))
	switch {
	case strings.HasPrefix(string(s), "sqlite:"):
		return string(s)
	case err != nil || u.Scheme == "" || u.Host == "" && u.Path == "", u.User == nil && strings.Contains(string(s), "@"): // what it means is not clear
		return "••••••••"
	}
	if u.RawQuery != "" {
		u.RawQuery = "xxxxx"
	}
	return u.Redacted()
}

// GoString keeps %#v from showing it.
func (s Secret) GoString() string { return strconv.Quote(s.String()) }

// LogValue keeps the log from showing it.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// SecretList is several secrets.
type SecretList []string

// String shows each as a secret is shown.
func (l SecretList) String() string {
	shown := make([]string, len(l))
	for i, s := range l {
		shown[i] = Secret(s).String()
	}
	return strings.Join(shown, ",")
}

// GoString keeps %#v from showing it.
func (l SecretList) GoString() string { return strconv.Quote(l.String()) }

// LogValue keeps the log from showing it.
func (l SecretList) LogValue() slog.Value { return slog.StringValue(l.String()) }

// ByteSize is a number of bytes, written like 10MiB.
type ByteSize int64

// String is the size as a person would write it.
func (b ByteSize) String() string {
	for _, unit := range []struct {
		name string
		size ByteSize
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}} {
		if b >= unit.size && b%unit.size == 0 {
			return strconv.FormatInt(int64(b/unit.size), 10) + unit.name
		}
	}
	return strconv.FormatInt(int64(b), 10)
}

// Rough is the size for a person who does not count bytes.
func (b ByteSize) Rough() string { return humanize.IBytes(uint64(max(0, b))) }

// assign puts a value, as a file, a variable or a flag gives it, into a field.
func assign(field, value any) error {
	switch f := field.(type) {
	case *[]string:
		return assignList(f, value, parseWord)
	case *SecretList:
		return assignList((*[]string)(f), value, parseWord)
	case *[]time.Duration:
		return assignList(f, value, parseDuration)
	}
	text, err := scalar(value)
	if err != nil {
		return err
	}
	switch f := field.(type) {
	case *string:
		*f = text
	case *Secret:
		*f = Secret(text)
	case *bool:
		*f, err = parseBool(text)
	case *int:
		*f, err = parseInt(text)
	case *ByteSize:
		*f, err = parseSize(text)
	case *time.Duration:
		*f, err = parseDuration(text)
	default:
		panic(fmt.Sprintf("settings cannot be of type %T", field))
	}
	return err
}

// scalar is a single value as text.
func scalar(value any) (string, error) {
	switch v := value.(type) {
	case string:
		return strings.TrimSpace(v), nil
	case nil:
		return "", nil
	case bool, int, int64, uint64, time.Duration:
		return fmt.Sprint(v), nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	default:
		return "", errors.New("must be a single value")
	}
}

// assignList takes a list, or one text with commas.
func assignList[T any](field *[]T, value any, parse func(string) (T, error)) error {
	var words []string
	switch v := value.(type) {
	case nil:
	case []any:
		for _, item := range v {
			word, err := scalar(item)
			if err != nil {
				return err
			}
			words = append(words, word)
		}
	default:
		text, err := scalar(value)
		if err != nil {
			return err
		}
		if text != "" {
			words = strings.Split(text, ",")
		}
	}
	list := make([]T, 0, len(words))
	for _, word := range words {
		item, err := parse(strings.TrimSpace(word))
		if err != nil {
			return err
		}
		list = append(list, item)
	}
	*field = list
	return nil
}

func parseWord(s string) (string, error) {
	if s == "" {
		return "", errors.New("has an empty entry")
	}
	return s, nil
}

func parseBool(s string) (bool, error) {
	switch strings.ToLower(s) {
	case "true", "yes", "on", "1":
		return true, nil
	case "false", "no", "off", "0":
		return false, nil
	default:
		return false, fmt.Errorf("%q is neither true nor false", s)
	}
}

func parseInt(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0, fmt.Errorf("%q is not a whole number", s)
	}
	return n, nil
}

func parseSize(s string) (ByteSize, error) {
	n, err := humanize.ParseBytes(s)
	if err != nil || n > math.MaxInt64 {
		return 0, fmt.Errorf("%q is not a size such as 10MiB", s)
	}
	return ByteSize(n), nil
}

// day is a unit of duration that Go does not parse, and that people write.
const day = 24 * time.Hour

func parseDuration(s string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 && n < 100_000 {
			return time.Duration(n) * day, nil
		}
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return 0, fmt.Errorf("%q is not a duration such as 30s, 5m or 24h", s)
	}
	return d, nil
}

// ShortDuration is a duration as a person would write it: 24h instead of 24h0m0s.
func ShortDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// DecodeKey decodes a key of 32 bytes; both alphabets of base64 are read, with and without padding.
func DecodeKey(s string) ([]byte, error) {
	s = strings.NewReplacer("-", "+", "_", "/").Replace(strings.TrimRight(strings.TrimSpace(s), "="))
	key, err := base64.RawStdEncoding.DecodeString(s)
	if err != nil || len(key) != 32 {
		return nil, errors.New("is not 32 bytes in base64, as \"openssl rand -base64 32\" makes them")
	}
	return key, nil
}

// shown is a field's value for people and JSON; secrets are masked.
func shown(field any) any {
	switch f := field.(type) {
	case *string:
		return *f
	case *Secret:
		return f.String()
	case *SecretList:
		return f.String()
	case *bool:
		return *f
	case *int:
		return *f
	case *ByteSize:
		return f.String()
	case *time.Duration:
		return ShortDuration(*f)
	case *[]string:
		return append([]string{}, *f...)
	case *[]time.Duration:
		list := make([]string, len(*f))
		for i, d := range *f {
			list[i] = ShortDuration(d)
		}
		return list
	default:
		panic(fmt.Sprintf("settings cannot be of type %T", field))
	}
}
