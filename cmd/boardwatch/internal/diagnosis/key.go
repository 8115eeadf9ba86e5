package diagnosis

import (
	"context"
	"errors"
	"os"
	"runtime"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/app"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/storage"
)

// examineKeyFile warns of a key file that the service cannot read, and of one of our own that others can.
func examineKeyFile(cfg config.Config) (Finding, bool) {
	if file, ok := app.KeyFile(cfg); ok && shutOut(cfg.DataDir, file) {
		return Finding{"secrets key", Warning, "the owner of " + cfg.DataDir + " cannot read " + file + "; run chown --reference=" + cfg.DataDir + " on it if the service runs under that name"}, true
	}
	info, err := os.Stat(app.OwnKeyFile(cfg))
	if err != nil || info.Mode().Perm()&0o077 == 0 || runtime.GOOS == "windows" {
		return Finding{}, false
	}
	return Finding{"secrets key", Warning, app.OwnKeyFile(cfg) + " can be read by others; run chmod 600 on it"}, true
}

// examineKey says whether the key for webhook secrets is the one that the database was made with; no key is one that
// was not made yet.
func examineKey(ctx context.Context, store *storage.Store, key []byte) Finding {
	err := store.CheckSealKey(ctx)
	switch {
	case errors.Is(err, storage.ErrSealKey) && key == nil:
		return Finding{"secrets key", Fault, "webhook secrets in the database are encrypted, and their key is gone: copy secret.key into the data directory, or set secrets.key or secrets.key_file; if it is lost, \"boardwatch rotate-key --lost\" deletes all webhooks and begins with a new one"}
	case errors.Is(err, storage.ErrSealKey):
		return Finding{"secrets key", Fault, err.Error() + `; if that is lost, "boardwatch rotate-key --lost" deletes all webhooks and goes on with this one`}
	case err != nil:
		return Finding{"secrets key", Fault, err.Error()}
	case key == nil:
		return Finding{"secrets key", OK, "not made yet; it is made on first start"}
	default:
		return Finding{"secrets key", OK, "opens the webhook secrets in the database"}
	}
}
