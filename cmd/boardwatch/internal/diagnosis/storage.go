package diagnosis

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/storage"
)

const (
	// littleSpace is when a disk is worth a warning, and noSpace when it is full for all that matters.
	littleSpace config.ByteSize = 1 << 30
	noSpace     config.ByteSize = 64 << 20
	// late is how long boards and deliveries may be overdue before a person should know.
	late = 10 * time.Minute
)

// examineDisk says how much room the database has left.
func examineDisk(free config.ByteSize, err error) Finding {
	if err != nil {
		return Finding{"disk", Warning, "how much room is left cannot be told: " + err.Error()}
	}
	f := Finding{"disk", OK, free.Rough() + " free for the database"}
	switch {
	case free < noSpace:
		f.State = Fault
	case free < littleSpace:
		f.State = Warning
	}
	return f
}

// conditionOf examines the database itself.
func conditionOf(ctx context.Context, store *storage.Store) []Finding {
	c, err := store.Condition(ctx)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return []Finding{{"integrity", Warning, "the database is too large to be looked through within " + databaseTimeout.String()}}
	case err != nil:
		return []Finding{{"integrity", Fault, err.Error()}}
	default:
		return examineCondition(c)
	}
}

func examineCondition(c storage.Condition) []Finding {
	findings := []Finding{{"integrity", OK, config.ByteSize(c.Size).Rough() + ", nothing is broken"}}
	if len(c.Faults) > 0 {
		findings[0] = Finding{"integrity", Fault, strings.Join(c.Faults, "; ") + `; keep a copy of it as it is, and restore the last backup`}
	}
	if c.ConnectionLimit > 0 {
		f := Finding{"connections", OK, fmt.Sprintf("%d of %d of the server's connections are open", c.Connections, c.ConnectionLimit)}
		if c.Pooled {
			f.Detail += "; a pooler stands before it, so a restore needs an address that leads to the server itself"
		}
		if 10*c.Connections > 8*c.ConnectionLimit {
			f.State = Warning
		}
		findings = append(findings, f)
	}
	return append(findings,
		examineLateness("overdue boards", "no board waits for its check", "a board has waited for its check for", c.OldestBoard),
		examineLateness("overdue deliveries", "no delivery waits for its attempt", "a delivery has waited for its attempt for", c.OldestDelivery))
}

func examineLateness(check, none, some string, waited time.Duration) Finding {
	switch {
	case waited <= 0:
		return Finding{check, OK, none}
	case waited < late:
		return Finding{check, OK, some + " " + waited.Round(time.Second).String()}
	default:
		return Finding{check, Warning, some + " " + waited.Round(time.Second).String() + "; is a service with the role worker running?"}
	}
}
