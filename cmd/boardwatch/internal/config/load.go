package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"

	"github.com/boardwatch/boardwatch/internal/canonical"
)

// Origin says where a value comes from.
type Origin struct {
	Source string // default, file, environment or flag
	From   string // the file, the variable or the flag
}

// Loaded is the configuration with what "config show" tells about it.
type Loaded struct {
	Config
	File    string            // the settings file that was read; empty: none
	Origins map[string]Origin // by key
}

// reserved are variables that begin like ours and are not settings.
var reserved = []string{Prefix + "CORPUS", Prefix + "CONFIG"}

// Source is where settings come from, besides their defaults.
type Source struct {
	File    string         // the settings file that --config names; empty: BOARDWATCH_CONFIG, or the usual places
	Environ []string       // "NAME=value", the last of a name counts
	Etc     string         // the directory of the service that is installed on this machine; empty means ServiceDir
	Flags   *pflag.FlagSet // those of the command, see AddFlags
}

// Load reads, merges and validates all settings: defaults, file, environment and flags, each over the one before. Its error
// names every problem at once.
func Load(c Source) (Loaded, error) {
	l := Loaded{Origins: map[string]Origin{}}
	file, err := c.readFile()
	if err != nil {
		return l, err
	}
	l.File = file.ConfigFileUsed()
	faults := unknownKeys(file)
	secrets, err := c.readSecrets(l.File)
	if errors.Is(err, fs.ErrPermission) {
		l.Unread, err = secrets.From, nil
	}
	if err != nil {
		return l, err
	}
	merged := viper.New()
	for _, s := range Settings() {
		merged.SetDefault(s.Key, s.Default)
		l.Origins[s.Key] = Origin{Source: "default"}
		if value := file.Get(s.Key); value != nil {
			merged.Set(s.Key, value)
			l.Origins[s.Key] = Origin{"file", l.File}
		}
		for _, e := range []environment{secrets, {Variables: c.Environ}} {
			value, from, err := e.value(s)
			if err != nil {
				faults = append(faults, err)
			} else if from.From != "" {
				merged.Set(s.Key, value)
				l.Origins[s.Key] = from
			}
		}
		if flag := c.Flags.Lookup(s.Flag); flag != nil && flag.Changed {
			merged.Set(s.Key, flag.Value.String())
			l.Origins[s.Key] = Origin{"flag", "--" + s.Flag}
		}
	}
	faults = append(faults, unknownVariables(append(secrets.Variables, c.Environ...))...)
	faults = append(faults, l.fill(merged)...)
	if origin, ok := canonical.Origin(strings.TrimSuffix(l.BaseURL, "/")); ok { // it is compared, signed and published
		l.BaseURL = origin
	}
	if l.DataDir == "" {
		l.DataDir = c.dataHome()
	}
	if l.Database == "" {
		l.Database = Secret("sqlite:" + filepath.Join(l.DataDir, "boardwatch.db"))
	}
	return l, errors.Join(faults...)
}

// Value is a setting's value for people and JSON; secrets are masked.
func (l *Loaded) Value(s Setting) any { return shown(s.field(&l.Config)) }

// fill puts the merged values into their fields and checks them.
func (l *Loaded) fill(merged *viper.Viper) []error {
	var faults []error
	wrong := func(s Setting, err error) {
		faults = append(faults, fmt.Errorf("%s: %w", l.name(s), err))
	}
	var whole []Setting
	for _, s := range Settings() {
		value := merged.Get(s.Key)
		if value == "" && s.Default == "" {
			continue
		}
		if err := assign(s.field(&l.Config), value); err != nil {
			wrong(s, maskFault(s, err))
			continue
		}
		whole = append(whole, s)
	}
	for _, s := range whole {
		if s.check == nil {
			continue
		}
		if err := s.check(l.Config); err != nil {
			wrong(s, err)
		}
	}
	return faults
}

// maskFault keeps the text of a secret out of an error.
func maskFault(s Setting, err error) error {
	if s.IsSecret() {
		return errors.New("cannot be used")
	}
	return err
}

// name is the setting, and where its value comes from.
func (l *Loaded) name(s Setting) string {
	o := l.Origins[s.Key]
	if o.From == "" {
		return s.Key
	}
	return s.Key + " (" + o.From + ")"
}

// env looks up one variable of the process.
func (c Source) env(name string) (string, bool) {
	return environment{Variables: c.Environ}.lookup(name)
}

// unknownVariables are those that begin like ours and mean nothing: most likely misspelt.
func unknownVariables(environ []string) []error {
	known := slices.Clone(reserved)
	for _, s := range Settings() {
		known = append(known, s.Variable())
		if s.IsSecret() {
			known = append(known, s.Variable()+"_FILE")
		}
	}
	var faults []error
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		if value != "" && strings.HasPrefix(name, Prefix) && !slices.Contains(known, name) && !IsServiceLink(name, value) {
			faults = append(faults, fmt.Errorf("%s: no setting has this variable%s", name, suggestion(name, known)))
		}
	}
	return faults
}

// unknownKeys are keys of the file that mean nothing. A section with nothing in it is no fault.
func unknownKeys(file *viper.Viper) []error {
	known := map[string]bool{}
	for _, s := range Settings() {
		known[s.Key] = true
	}
	section := func(key string) bool {
		return file.Get(key) == nil && slices.ContainsFunc(slices.Collect(maps.Keys(known)), func(k string) bool {
			return strings.HasPrefix(k, key+".")
		})
	}
	var faults []error
	keys := file.AllKeys()
	slices.Sort(keys)
	for _, key := range keys {
		if !known[key] && !section(key) {
			faults = append(faults, fmt.Errorf("%s (%s): there is no such setting%s", key, file.ConfigFileUsed(), settingSuggestion(key, slices.Sorted(maps.Keys(known)))))
		}
	}
	return faults
}

// readFile reads the settings file; without one the result is empty.
func (c Source) readFile() (*viper.Viper, error) {
	v := viper.New()
	file, err := c.findFile()
	if file == "" || err != nil {
		return v, err
	}
	v.SetConfigFile(file)
	if err := v.ReadInConfig(); err != nil {
		return v, fmt.Errorf("read settings file %s: %w", file, PlainReadError(err))
	}
	return v, nil
}

// findFile is the settings file to read: the one that --config or BOARDWATCH_CONFIG names, which must be there, else the
// first that exists in the usual places, else none.
func (c Source) findFile() (string, error) {
	file := c.File
	if file == "" {
		file, _ = c.env(Prefix + "CONFIG")
	}
	if file != "" {
		if !slices.Contains(fileTypes(), filepath.Ext(file)) {
			return "", fmt.Errorf("the name of the settings file %s must end in one of %s", file, strings.Join(fileTypes(), ", "))
		}
		if _, err := os.Stat(file); err != nil {
			return "", fmt.Errorf("read settings file %s: %w", file, PlainReadError(err))
		}
		return file, nil
	}
	for _, dir := range c.fileDirs() {
		for _, ext := range fileTypes() {
			file := filepath.Join(dir, "boardwatch"+ext)
			if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
				return file, nil
			}
		}
	}
	return "", nil
}

func fileTypes() []string { return []string{".yaml", ".yml", ".toml", ".json"} }

// fileDirs are the usual places of the settings file.
func (c Source) fileDirs() []string {
	dirs := []string{"."}
	if dir, ok := c.env("XDG_CONFIG_HOME"); ok {
		dirs = append(dirs, filepath.Join(dir, "boardwatch"))
	} else if home, ok := c.env("HOME"); ok {
		dirs = append(dirs, filepath.Join(home, ".config", "boardwatch"))
	}
	return append(dirs, c.etc())
}

// dataHome is the directory for data when none is configured.
func (c Source) dataHome() string {
	if dir, ok := c.env("XDG_DATA_HOME"); ok {
		return filepath.Join(dir, "boardwatch")
	}
	if home, ok := c.env("HOME"); ok {
		return filepath.Join(home, ".local", "share", "boardwatch")
	}
	return "/var/lib/boardwatch"
}

// AddFlags adds the flags of settings. Their defaults are not flag defaults: what was not typed does not count.
func AddFlags(flags *pflag.FlagSet, keys ...string) {
	table := Settings()
	for _, key := range keys {
		at := slices.IndexFunc(table, func(s Setting) bool { return s.Key == key && s.Flag != "" })
		if at < 0 {
			panic("no flag for the setting " + key)
		}
		s := table[at]
		usage := s.short
		if _, ok := s.field(&Config{}).(*bool); ok {
			flags.Bool(s.Flag, false, usage)
			continue
		}
		if s.Default != "" {
			usage += " (default " + s.Default + ")"
		}
		flags.String(s.Flag, "", usage)
	}
}

// PlainReadError shortens the errors of reading a file to what a person needs.
func PlainReadError(err error) error {
	if pathErr, ok := errors.AsType[*os.PathError](err); ok {
		return pathErr.Err
	}
	if parseErr, ok := errors.AsType[viper.ConfigParseError](err); ok {
		return parseFault(errors.Unwrap(parseErr))
	}
	return err
}

// parseFault says where a settings file is not what its name says.
func parseFault(err error) error {
	if _, ok := errors.AsType[*yaml.TypeError](err); ok {
		return errors.New(`it does not contain settings: every line is a name and a value, such as "listen: 127.0.0.1:8080"`)
	}
	if e, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, _ := e.Position()
		return fmt.Errorf("line %d is not TOML: %s", line, strings.TrimPrefix(e.Error(), "toml: "))
	}
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("it is not JSON: %w", err)
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("it does not contain settings, but a JSON %s", e.Value)
	}
	if reason, ok := strings.CutPrefix(err.Error(), "yaml: "); ok {
		return errors.New("it is not YAML: " + reason)
	}
	return err
}

// suggestion is the end of an error about an unknown word.
func suggestion(word string, known []string) string {
	if name := Nearest(word, known); name != "" {
		return fmt.Sprintf("; did you mean %s?", name)
	}
	return ""
}

// settingSuggestion is suggestion for a key of the settings file. One that has only lost its section is near, however short.
func settingSuggestion(key string, known []string) string {
	last := key[strings.LastIndexByte(key, '.')+1:]
	var named []string
	for _, k := range known {
		if strings.HasSuffix(k, "."+last) {
			named = append(named, k)
		}
	}
	if len(named) == 0 || strings.Contains(key, ".") && Nearest(key, known) != "" {
		return suggestion(key, known)
	}
	return "; did you mean " + strings.Join(named, " or ") + "?"
}

// Nearest is the known word that differs least from the given one, or nothing when none is near.
func Nearest(word string, known []string) string {
	best, least := "", max(2, len(word)/3)+1
	for _, k := range known {
		if d := distance(word, k); d < least {
			best, least = k, d
		}
	}
	return best
}

// distance is how many letters must be put in, left out or changed to make one word of the other.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
