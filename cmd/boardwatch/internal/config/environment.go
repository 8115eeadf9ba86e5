package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// environment is a list of variables: the process's own, or those of a file.
type environment struct {
	Variables []string // "NAME=value", the last of a name counts
	From      string   // the file; empty: they are the process's
}

// lookup finds one variable. One that is set to nothing counts as not set.
func (e environment) lookup(name string) (string, bool) {
	for _, entry := range slices.Backward(e.Variables) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value, value != ""
		}
	}
	return "", false
}

// value is what the variables say of a setting, and where; no origin means that they say nothing. A secret may also be in the
// file that its variable with _FILE names.
func (e environment) value(s Setting) (value string, from Origin, err error) {
	name := s.Variable()
	value, direct := e.lookup(name)
	indirect := false
	if s.IsSecret() && !ownVariable(name+"_FILE") {
		var file string
		if file, indirect = e.lookup(name + "_FILE"); indirect && direct {
			return "", Origin{}, fmt.Errorf("%s: is given twice, by %s and by %s_FILE", s.Key, name, name)
		}
		if indirect {
			name += "_FILE"
			content, err := os.ReadFile(file)
			if err != nil {
				return "", Origin{}, fmt.Errorf("%s (%s): read %s: %w", s.Key, name, file, PlainReadError(err))
			}
			value = strings.TrimRight(string(content), "\r\n")
		}
	}
	switch {
	case !direct && !indirect:
		return "", Origin{}, nil
	case e.From != "":
		return value, Origin{"file", e.From}, nil
	default:
		return value, Origin{"environment", name}, nil
	}
}

// ownVariable reports whether a variable belongs to a setting by its own name.
func ownVariable(name string) bool {
	return slices.ContainsFunc(Settings(), func(s Setting) bool { return s.Variable() == name })
}

// ServiceDir is where a packaged service has its settings: a settings file, and secretsFile.
const ServiceDir = "/etc/boardwatch"

// secretsFile holds variables that systemd gives the service, and that only root can read.
const secretsFile = "secrets.env"

func (c Source) etc() string {
	if c.Etc != "" {
		return c.Etc
	}
	return ServiceDir
}

// readSecrets reads the service's secrets for a command that has its settings file, or none. Where there are none, the result
// is empty.
func (c Source) readSecrets(settings string) (environment, error) {
	e := environment{From: filepath.Join(c.etc(), secretsFile)}
	if settings != "" {
		if full, err := filepath.Abs(settings); err != nil || filepath.Dir(full) != c.etc() {
			return e, err
		}
	}
	text, err := os.ReadFile(e.From)
	if errors.Is(err, fs.ErrNotExist) {
		return e, nil
	}
	if err != nil {
		return e, fmt.Errorf("read %s: %w", e.From, PlainReadError(err))
	}
	e.Variables = parseVariables(string(text))
	return e, nil
}

// parseVariables reads a file of variables as systemd does (EnvironmentFile=).
func parseVariables(text string) (variables []string) {
	for {
		text = strings.TrimLeft(text, " \t\r\n")
		if text == "" {
			return variables
		}
		line, _, _ := strings.Cut(text, "\n")
		name, _, assigned := strings.Cut(line, "=")
		if comment := text[0] == '#' || text[0] == ';'; comment || !assigned {
			_, text, _ = strings.Cut(text, "\n")
			for comment && strings.HasSuffix(line, `\`) {
				line, text, _ = strings.Cut(text, "\n")
			}
			continue
		}
		var value string
		value, text = parseValue(text[len(name)+1:])
		variables = append(variables, strings.TrimSpace(name)+"="+value)
	}
}

// parseValue reads a value to the end of its line: words and quoted parts. A backslash takes the next letter as it is; between
// single quotes it is one itself, and between double quotes it only counts before a few.
func parseValue(text string) (value, rest string) {
	var b strings.Builder
	var quote byte
	bare, whole := false, 0 // whether an unquoted word has begun, and how much of the value is not space at its end
	i := 0
	for ; i < len(text); i++ {
		c := text[i]
		switch {
		case quote == 0 && c == '\n':
			return b.String()[:whole], text[i:]
		case quote == c && c != 0:
			quote = 0
			whole = b.Len()
			continue
		case quote == 0 && !bare && (c == '\'' || c == '"'):
			quote = c
			continue
		case quote == 0 && !bare && strings.IndexByte(" \t\r", c) >= 0:
			continue
		case c == '\\' && quote != '\'' && i+1 < len(text):
			i++
			if text[i] == '\n' {
				continue
			}
			if quote == '"' && strings.IndexByte("\"\\`$", text[i]) < 0 {
				b.WriteByte('\\')
			}
			c = text[i]
		}
		bare = bare || quote == 0
		b.WriteByte(c)
		if quote != 0 || strings.IndexByte(" \t\r", c) < 0 {
			whole = b.Len()
		}
	}
	return b.String()[:whole], ""
}

// serviceLink is one form of the variables that Kubernetes gives every container for each Service in its namespace.
type serviceLink struct{ name, value *regexp.Regexp }

// serviceLinks are those of Services whose names begin with boardwatch, which look like settings.
func serviceLinks() []serviceLink {
	const service, port = `^BOARDWATCH(_[A-Z0-9_]+)?`, `_PORT_[0-9]+_(TCP|UDP|SCTP)`
	link := func(name, value string) serviceLink {
		return serviceLink{regexp.MustCompile(service + name + "$"), regexp.MustCompile("^" + value + "$")}
	}
	return []serviceLink{
		link(`(_SERVICE_HOST|`+port+`_ADDR)`, `[0-9a-f.:]+`),
		link(`(_SERVICE_PORT(_[A-Z0-9_]+)?|`+port+`_PORT)`, `[0-9]+`),
		link(`(_PORT|`+port+`)`, `(tcp|udp|sctp)://\S+`),
		link(port+`_PROTO`, `(tcp|udp|sctp)`),
	}
}

// IsServiceLink reports whether Kubernetes has set a variable, by the form of its name and its value.
func IsServiceLink(name, value string) bool {
	for _, l := range serviceLinks() {
		if l.name.MatchString(name) && l.value.MatchString(value) {
			return true
		}
	}
	return false
}
