// Package settings has the commands that show, check and write the settings.
package settings

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
)

// Command is "boardwatch config".
func Command(c *command.CLI) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Show or check the settings, or write a settings file",
		Long: `Show or check the settings, or write a settings file. docs/configuration.md explains every setting.

  boardwatch config init
  boardwatch config check`,
	}
	cmd.AddCommand(newShowCmd(c), newCheckCmd(c), newInitCmd(c))
	return cmd
}

// settingView is one setting as "config show" prints it.
type settingView struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Source string `json:"source"` // default, file, environment or flag
	From   string `json:"from"`   // the file, variable or flag; empty for a default
}

func newShowCmd(c *command.CLI) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Show every setting, its value and where the value comes from",
		Long: `Show every setting, its value and where the value comes from: default, file, environment or flag. Secrets are masked.

  boardwatch config show
  boardwatch config show -o json`,
		Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := c.Load(cmd)
			if err != nil {
				return err
			}
			return command.PrintList(c, settingViews(l),
				command.Col("SETTING", func(v settingView) string { return v.Key }),
				command.Col("VALUE", settingView.text),
				command.Col("SOURCE", func(v settingView) string { return v.Source }),
				command.Col("FROM", func(v settingView) string { return v.From }),
			)
		},
	}
	config.AddFlags(cmd.Flags(), "listen", "base_url", "role", "demo", "browser.mode")
	return cmd
}

func settingViews(l config.Loaded) []settingView {
	var views []settingView
	for _, s := range config.Settings() {
		o := l.Origins[s.Key]
		if s.Unlisted() && o.Source == "default" {
			continue
		}
		views = append(views, settingView{s.Key, l.Value(s), o.Source, o.From})
	}
	return views
}

func (v settingView) text() string {
	if list, ok := v.Value.([]string); ok {
		return strings.Join(list, ",")
	}
	return fmt.Sprint(v.Value)
}

func newCheckCmd(c *command.CLI) *cobra.Command {
	return &cobra.Command{
		Use:   "check",
		Short: "Check the settings; exit 2 if they are wrong",
		Long: `Read the settings as every other command would, and report all problems at once.

  boardwatch config check --config /etc/boardwatch/boardwatch.yaml`,
		Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := c.Load(cmd)
			if err != nil {
				return err
			}
			return command.PrintItem(c, configVerdict{OK: true, File: l.File},
				command.Col("SETTINGS", func(configVerdict) string { return "ok" }),
				command.Col("FILE", func(v configVerdict) string { return cmp.Or(v.File, "none") }),
			)
		},
	}
}

// configVerdict is the answer of "config check".
type configVerdict struct {
	OK   bool   `json:"ok"`
	File string `json:"file"` // empty: no settings file
}

func newInitCmd(c *command.CLI) *cobra.Command {
	return &cobra.Command{
		Use:   "init [FILE|-]",
		Short: "Write a settings file with every setting, explained and commented out",
		Long: `Write a settings file with every setting, explained and commented out. It is written as YAML, so its name must end in
.yaml or .yml. An existing file is not overwritten.

  boardwatch config init                        writes ./boardwatch.yaml
  boardwatch config init /etc/boardwatch/boardwatch.yaml
  boardwatch config init -                      prints it`,
		Args: command.AtMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			file := "boardwatch.yaml"
			if len(args) == 1 {
				file = args[0]
			}
			if file == "-" {
				_, err := fmt.Fprint(c.Out, config.Sample())
				return err
			}
			if ext := filepath.Ext(file); ext != ".yaml" && ext != ".yml" {
				return exit.Usage(cmd, fmt.Errorf("the settings are written as YAML: %s has to be named .yaml or .yml", file))
			}
			if err := writeNew(file, config.Sample()); err != nil {
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
		return exit.Fail(fmt.Errorf("write settings file %s: it exists already", name), "Choose another name, or move the file away.")
	case errors.Is(err, fs.ErrNotExist):
		return exit.Fail(fmt.Errorf("write settings file %s: there is no directory %s", name, filepath.Dir(name)), "Make the directory first, or choose another.")
	case err != nil:
		return exit.Fail(fmt.Errorf("write settings file %s: %w", name, config.PlainReadError(err)), "")
	}
	_, err = f.WriteString(content)
	if err := errors.Join(err, f.Close()); err != nil {
		return exit.Fail(fmt.Errorf("write settings file %s: %w", name, config.PlainReadError(err)), "")
	}
	return nil
}
