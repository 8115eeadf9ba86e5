package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

func newConfigCmd(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show, check or begin the settings",
		Long: `Show, check or begin the settings; docs/configuration.md explains every one.

  boardwatch config init
  boardwatch config check`,
	}
	cmd.AddCommand(newConfigShowCmd(c), newConfigCheckCmd(c), newConfigInitCmd(c))
	return cmd
}

// settingView is one setting as "config show" prints it.
type settingView struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Source string `json:"source"` // default, file, environment or flag
	From   string `json:"from"`   // the file, variable or flag; empty for a default
}

func newConfigShowCmd(c *cli) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Show every setting, its value and where the value comes from",
		Long: `Show every setting, its value and where the value comes from: default, file, environment or flag. Secrets are masked.

  boardwatch config show
  boardwatch config show -o json`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := c.load(cmd)
			if err != nil {
				return err
			}
			return printList(c, l.views(),
				column[settingView]{"SETTING", func(v settingView) string { return v.Key }},
				column[settingView]{"VALUE", settingView.text},
				column[settingView]{"SOURCE", func(v settingView) string { return v.Source }},
				column[settingView]{"FROM", func(v settingView) string { return v.From }},
			)
		},
	}
	addSettingFlags(cmd.Flags(), "listen", "base_url", "role", "demo", "browser.mode")
	return cmd
}

func (l *loaded) views() []settingView {
	var views []settingView
	for _, s := range settings() {
		o := l.origins[s.key]
		views = append(views, settingView{s.key, shown(s.field(&l.Config)), o.Source, o.From})
	}
	return views
}

func (v settingView) text() string {
	if list, ok := v.Value.([]string); ok {
		return strings.Join(list, ",")
	}
	return fmt.Sprint(v.Value)
}

func newConfigCheckCmd(c *cli) *cobra.Command {
	return &cobra.Command{
		Use:   "check",
		Short: "Say whether the settings are right; exit 2 when not",
		Long: `Read the settings as every other command would, and name all problems at once.

  boardwatch config check --config /etc/boardwatch/boardwatch.yaml`,
		Args: takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := c.load(cmd)
			if err != nil {
				return err
			}
			return printItem(c, configVerdict{OK: true, File: l.file},
				column[configVerdict]{"SETTINGS", func(configVerdict) string { return "ok" }},
				column[configVerdict]{"FILE", func(v configVerdict) string { return orText(v.File, "none") }},
			)
		},
	}
}

// configVerdict is the answer of "config check".
type configVerdict struct {
	OK   bool   `json:"ok"`
	File string `json:"file"` // empty: no settings file
}

func orText(s, empty string) string {
	if s == "" {
		return empty
	}
	return s
}

func newConfigInitCmd(c *cli) *cobra.Command {
	return &cobra.Command{
		Use:   "init [FILE|-]",
		Short: "Write a settings file with every setting, explained and commented out",
		Long: `Write a settings file with every setting, explained and commented out. It is YAML, so its name has to
end in .yaml or .yml. A file that exists is left alone.

  boardwatch config init                        writes ./boardwatch.yaml
  boardwatch config init /etc/boardwatch/boardwatch.yaml
  boardwatch config init -                      prints it`,
		Args: atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			file := "boardwatch.yaml"
			if len(args) == 1 {
				file = args[0]
			}
			if file == "-" {
				_, err := fmt.Fprint(c.Out, sampleConfig())
				return err
			}
			if ext := filepath.Ext(file); ext != ".yaml" && ext != ".yml" {
				return usageError(cmd, fmt.Errorf("the settings are written as YAML: %s has to be named .yaml or .yml", file))
			}
			if err := writeNew(file, sampleConfig()); err != nil {
				return err
			}
			_, err := fmt.Fprintf(c.Err, "wrote %s\n", file)
			return err
		},
	}
}

// writeNew makes a file that only its owner can read: settings may hold secrets.
func writeNew(name, content string) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fail(fmt.Errorf("write settings file %s: it exists already", name), "Choose another name, or move the file away.")
	case errors.Is(err, fs.ErrNotExist):
		return fail(fmt.Errorf("write settings file %s: there is no directory %s", name, filepath.Dir(name)), "Make the directory first, or choose another.")
	case err != nil:
		return fail(fmt.Errorf("write settings file %s: %w", name, plainReadError(err)), "")
	}
	_, err = f.WriteString(content)
	if err := errors.Join(err, f.Close()); err != nil {
		return fail(fmt.Errorf("write settings file %s: %w", name, plainReadError(err)), "")
	}
	return nil
}

// sampleConfig is a settings file in YAML in which everything is a comment.
func sampleConfig() string {
	var b strings.Builder
	b.WriteString("# Settings of boardwatch. What is commented out has the value shown; to change it, take the first # of its line away,\n" +
		"# and that of the line that names its section (checks:).\n" +
		"# Every setting is also an environment variable: checks.close_after is BOARDWATCH_CHECKS_CLOSE_AFTER.\n")
	var open []string
	for _, s := range settings() {
		path := strings.Split(s.key, ".")
		for depth, section := range path[:len(path)-1] {
			if len(open) > depth && open[depth] == section {
				continue
			}
			if depth == 0 {
				b.WriteByte('\n')
			}
			b.WriteString("#" + strings.Repeat("  ", depth) + section + ":\n")
			open = append(open[:min(depth, len(open))], section)
		}
		if len(path) == 1 {
			b.WriteByte('\n')
		}
		indent := strings.Repeat("  ", len(path)-1)
		note := "# "
		if indent != "" {
			note = "#" + indent + "# "
		}
		for _, line := range wrap(strings.ReplaceAll(s.doc, "`", ""), 100) {
			b.WriteString(note + line + "\n")
		}
		b.WriteString("#" + indent + path[len(path)-1] + ": " + yamlValue(s) + "\n")
	}
	return b.String()
}

// yamlValue is a setting's default in YAML.
func yamlValue(s setting) string {
	switch s.field(&Config{}).(type) {
	case *[]string, *secretList:
		return "[" + s.def + "]"
	default:
		if s.def == "" {
			return `""`
		}
		return s.def
	}
}

// wrap breaks a text into lines of at most width letters.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
