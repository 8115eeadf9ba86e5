package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/spf13/viper"
	"go.yaml.in/yaml/v3"
)

// origin says where a value comes from.
type origin struct {
	Source string // default, file, environment or flag
	From   string // the file, the variable or the flag
}

// loaded is the configuration with what "config show" tells about it.
type loaded struct {
	Config
	file    string // the settings file that was read; empty: none
	origins map[string]origin
}

// reserved are variables that begin like ours and are not settings.
var reserved = []string{environment + "CORPUS", environment + "CONFIG"}

// config reads, merges and validates all settings. Its error names every problem at once.
func (c *cli) config(cmd *cobra.Command) (Config, error) {
	l, err := c.load(cmd)
	return l.Config, err
}

// load merges defaults, file, environment and flags, each over the one before.
func (c *cli) load(cmd *cobra.Command) (loaded, error) {
	l := loaded{origins: map[string]origin{}}
	file, err := c.readFile()
	if err != nil {
		return l, configError(err)
	}
	l.file = file.ConfigFileUsed()
	faults := faultList(unknownKeys(file))
	merged := viper.New()
	for _, s := range settings() {
		merged.SetDefault(s.key, s.def)
		l.origins[s.key] = origin{Source: "default"}
		if value := file.Get(s.key); value != nil {
			merged.Set(s.key, value)
			l.origins[s.key] = origin{"file", l.file}
		}
		if value, from, err := c.fromEnvironment(s); err != nil {
			faults.add(err)
		} else if from != "" {
			merged.Set(s.key, value)
			l.origins[s.key] = origin{"environment", from}
		}
		if flag := cmd.Flags().Lookup(s.flag); flag != nil && flag.Changed {
			merged.Set(s.key, flag.Value.String())
			l.origins[s.key] = origin{"flag", "--" + s.flag}
		}
	}
	faults.add(c.unknownVariables()...)
	faults.add(l.fill(merged)...)
	if l.DataDir == "" {
		l.DataDir = c.dataHome()
	}
	if l.Database == "" {
		l.Database = secret("sqlite:" + filepath.Join(l.DataDir, "boardwatch.db"))
	}
	return l, faults.err()
}

// fill puts the merged values into their fields and checks them.
func (l *loaded) fill(merged *viper.Viper) []error {
	var faults []error
	wrong := func(s setting, err error) {
		faults = append(faults, fmt.Errorf("%s: %w", l.name(s), err))
	}
	var whole []setting
	for _, s := range settings() {
		value := merged.Get(s.key)
		if value == "" && s.def == "" {
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
func maskFault(s setting, err error) error {
	if s.secret() {
		return errors.New("cannot be used")
	}
	return err
}

// name is the setting, and where its value comes from.
func (l *loaded) name(s setting) string {
	o := l.origins[s.key]
	if o.From == "" {
		return s.key
	}
	return s.key + " (" + o.From + ")"
}

// fromEnvironment is the value that a variable gives, and the variable; no variable means that none is set. A secret
// may also be in the file that its variable with _FILE names.
func (c *cli) fromEnvironment(s setting) (value, variable string, err error) {
	name := s.variable()
	value, direct := c.env(name)
	if !s.secret() || ownVariable(name+"_FILE") {
		if !direct {
			name = ""
		}
		return value, name, nil
	}
	file, indirect := c.env(name + "_FILE")
	switch {
	case direct && indirect:
		return "", "", fmt.Errorf("%s: is given twice, by %s and by %s_FILE", s.key, name, name)
	case indirect:
		content, err := os.ReadFile(file)
		if err != nil {
			return "", "", fmt.Errorf("%s (%s_FILE): read %s: %w", s.key, name, file, plainReadError(err))
		}
		return strings.TrimRight(string(content), "\r\n"), name + "_FILE", nil
	case direct:
		return value, name, nil
	default:
		return "", "", nil
	}
}

// ownVariable reports whether a variable belongs to a setting by its own name.
func ownVariable(name string) bool {
	return slices.ContainsFunc(settings(), func(s setting) bool { return s.variable() == name })
}

// unknownVariables are those that begin like ours and mean nothing: most likely misspelt.
func (c *cli) unknownVariables() []error {
	known := slices.Clone(reserved)
	for _, s := range settings() {
		known = append(known, s.variable())
		if s.secret() {
			known = append(known, s.variable()+"_FILE")
		}
	}
	var faults []error
	for _, entry := range c.Environ {
		name, value, _ := strings.Cut(entry, "=")
		if value != "" && strings.HasPrefix(name, environment) && !slices.Contains(known, name) {
			faults = append(faults, fmt.Errorf("%s: no setting has this variable%s", name, suggestion(name, known)))
		}
	}
	return faults
}

// unknownKeys are keys of the file that mean nothing. A section with nothing in it is no fault.
func unknownKeys(file *viper.Viper) []error {
	known := map[string]bool{}
	for _, s := range settings() {
		known[s.key] = true
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
func (c *cli) readFile() (*viper.Viper, error) {
	v := viper.New()
	file, err := c.findFile()
	if file == "" || err != nil {
		return v, err
	}
	v.SetConfigFile(file)
	if err := v.ReadInConfig(); err != nil {
		return v, fmt.Errorf("read settings file %s: %w", file, plainReadError(err))
	}
	return v, nil
}

// findFile is the settings file to read: the one that --config or BOARDWATCH_CONFIG names, which must be there, else the
// first that exists in the usual places, else none.
func (c *cli) findFile() (string, error) {
	file := c.file
	if file == "" {
		file, _ = c.env(environment + "CONFIG")
	}
	if file != "" {
		if !slices.Contains(fileTypes(), filepath.Ext(file)) {
			return "", fmt.Errorf("settings file %s is none of %s by its name", file, strings.Join(fileTypes(), ", "))
		}
		if _, err := os.Stat(file); err != nil {
			return "", fmt.Errorf("read settings file %s: %w", file, plainReadError(err))
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
func (c *cli) fileDirs() []string {
	dirs := []string{"."}
	if dir, ok := c.env("XDG_CONFIG_HOME"); ok {
		dirs = append(dirs, filepath.Join(dir, "boardwatch"))
	} else if home, ok := c.env("HOME"); ok {
		dirs = append(dirs, filepath.Join(home, ".config", "boardwatch"))
	}
	return append(dirs, "/etc/boardwatch")
}

// dataHome is the directory for data when none is configured.
func (c *cli) dataHome() string {
	if dir, ok := c.env("XDG_DATA_HOME"); ok {
		return filepath.Join(dir, "boardwatch")
	}
	if home, ok := c.env("HOME"); ok {
		return filepath.Join(home, ".local", "share", "boardwatch")
	}
	return "/var/lib/boardwatch"
}

// addSettingFlags adds the flags of settings. Their defaults are not flag defaults: what was not typed does not count.
func addSettingFlags(flags *pflag.FlagSet, keys ...string) {
	for _, key := range keys {
		at := slices.IndexFunc(settings(), func(s setting) bool { return s.key == key && s.flag != "" })
		if at < 0 {
			panic("no flag for the setting " + key)
		}
		s := settings()[at]
		usage := s.short
		if _, ok := s.field(&Config{}).(*bool); ok {
			flags.Bool(s.flag, false, usage)
			continue
		}
		if s.def != "" {
			usage += " (default " + s.def + ")"
		}
		flags.String(s.flag, "", usage)
	}
}

// faultList gathers everything that is wrong with the settings.
type faultList []error

func (f *faultList) add(errs ...error) { *f = append(*f, errs...) }

func (f *faultList) err() error {
	if len(*f) == 0 {
		return nil
	}
	return configError(errors.Join(*f...))
}

func configError(err error) *exitError {
	return &exitError{code: 2, err: err, next: `Correct the settings, then run "boardwatch config check"; "boardwatch config init -" prints all of them.`}
}

// plainReadError shortens the errors of reading a file to what a person needs.
func plainReadError(err error) error {
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
		return errors.New(`it does not hold settings: every line is a name and a value, such as "listen: 127.0.0.1:8080"`)
	}
	if e, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, _ := e.Position()
		return fmt.Errorf("line %d is not TOML: %s", line, strings.TrimPrefix(e.Error(), "toml: "))
	}
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("it is not JSON: %w", err)
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("it does not hold settings, but a JSON %s", e.Value)
	}
	if reason, ok := strings.CutPrefix(err.Error(), "yaml: "); ok {
		return errors.New("it is not YAML: " + reason)
	}
	return err
}

// suggestion is the end of an error about an unknown word.
func suggestion(word string, known []string) string {
	if name := nearest(word, known); name != "" {
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
	if len(named) == 0 || strings.Contains(key, ".") && nearest(key, known) != "" {
		return suggestion(key, known)
	}
	return "; did you mean " + strings.Join(named, " or ") + "?"
}

// nearest is the known word that differs least from the given one, or nothing when none is near.
func nearest(word string, known []string) string {
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
