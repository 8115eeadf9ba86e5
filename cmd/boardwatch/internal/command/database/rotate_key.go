package database

import (
	"context"
	"errors"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
	"github.com/boardwatch/boardwatch/storage"
)

// RotateKey is "boardwatch rotate-key".
func RotateKey(c *command.CLI) *cobra.Command {
	var file string
	var lost bool
	cmd := &cobra.Command{
		Use:   "rotate-key",
		Short: "Encrypt webhook secrets with a new key",
		Long: `Create a new key and encrypt all webhook secrets with it, all of them or none: {webhooks, keyFile}. The new key is
written to the key file. The old one stays beside it with the ending .old, because older backups need it. Processes on
this machine start to use the new key by themselves. Copy it to other machines at once.

If the key is in the setting secrets.key, or in a file that cannot be replaced, use --new-key-file. The database then
belongs to the key in that file. Change the settings at once, and restart the processes that use the old key.

With --lost the database starts again with the key from the settings, or with a new one, because the key that it
belongs to is gone. All webhooks are deleted, since their secrets cannot be read any more.

  boardwatch rotate-key
  openssl rand -base64 32 > new.key && boardwatch rotate-key --new-key-file new.key`,
		Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case lost && file != "":
				return exit.Usage(cmd, errors.New("--lost takes the key that the settings name: give it without --new-key-file"))
			case lost:
				return loseKey(c, cmd)
			default:
				return rotateKey(c, cmd, file)
			}
		},
	}
	cmd.Flags().StringVar(&file, "new-key-file", "", "`FILE` that holds the new key: 32 bytes in base64")
	cmd.Flags().BoolVar(&lost, "lost", false, "the old key is gone: delete all webhooks and start with another key")
	return cmd
}

// rotationView is what became of a rotation.
type rotationView struct {
	Webhooks int    `json:"webhooks"` // how many secrets were encrypted anew
	KeyFile  string `json:"keyFile"`  // where the key is now
}

func rotateKey(c *command.CLI, cmd *cobra.Command, given string) error {
	cfg, err := c.Config(cmd)
	if err != nil {
		return err
	}
	file, ok := app.KeyFile(cfg)
	if !ok && given == "" {
		return exit.Usage(cmd, errors.New("the key is in the setting secrets.key, which this command cannot change: give the new one with --new-key-file"))
	}
	return c.WithSealedApp(cmd, func(ctx context.Context, a *app.App) error {
		view := rotationView{KeyFile: given}
		if given != "" {
			view.Webhooks, err = a.RotateTo(ctx, given)
		} else {
			view.KeyFile = file
			view.Webhooks, err = a.RotateFile(ctx, file)
		}
		if err != nil {
			return err
		}
		if given != "" {
			c.Note("the database belongs to the key in %s now: let secrets.key_file or secrets.key say so at once, and restart what runs with another", given)
		}
		return command.PrintItem(c, view,
			command.Col("WEBHOOKS", func(v rotationView) string { return strconv.Itoa(v.Webhooks) }),
			command.Col("KEY FILE", func(v rotationView) string { return v.KeyFile }),
		)
	})
}

// loseKey gives up what only a lost key could open.
func loseKey(c *command.CLI, cmd *cobra.Command) (err error) {
	cfg, err := c.Config(cmd)
	if err != nil {
		return err
	}
	known, err := app.KnownKey(cfg)
	if err != nil {
		return err
	}
	ctx := cmd.Context()
	store, err := app.OpenStore(ctx, cfg, storage.Options{Plans: cfg.AllPlans(), NoCreate: true, Log: c.Logger(cfg)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	switch fits, err := store.OpensWith(ctx, known); {
	case err != nil:
		return err
	case fits:
		return exit.Fail(errors.New("the key is not lost: it decrypts the webhook secrets in the database"), `Run "boardwatch rotate-key" to replace it.`)
	case !c.Confirm("All webhooks are deleted, and have to be made anew. Go on?"):
		return exit.Fail(errors.New("nothing was changed"), "")
	}
	key, err := app.SecretKey(cfg)
	if err != nil {
		return err
	}
	n, err := store.ForgetSecrets(ctx, key)
	if err != nil {
		return err
	}
	c.Note("deleted %s", command.Count(n, "webhook"))
	return nil
}
