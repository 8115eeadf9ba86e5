package storage

import (
	"encoding/binary"
	"fmt"
	"slices"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/storage/internal/driver"
)

// growthName is the name of an account's growth in the table of rates.
const growthName = "growth"

// payer is the account whose hourly growth a check counts towards. Without an id, nothing is counted.
type payer struct {
	accountID string
	growth    Growth
}

// growthOf asks how much has been added lately for the accounts that actively track a board.
func growthOf(boardID string, grown map[string]Growth) driver.Question {
	const query = `SELECT r.account_id, r.used FROM subscriptions AS s JOIN rates AS r ON r.account_id = s.account_id AND r.name = ?
		WHERE s.board_id = ? AND NOT s.locked`
	var id string
	var packed []byte
	return driver.Ask(query, []any{growthName, boardID}, func() (err error) {
		grown[id], err = unpackGrowth(packed)
		return err
	}, &id, &packed)
}

// payerOf chooses the subscriber with the most room, so that nobody can use up the room of a board that others track.
func payerOf(subs []boardwatch.Subscription, grown map[string]Growth, now time.Time) (p payer) {
	least := 0
	for _, s := range subs {
		if sum := grown[s.AccountID].Sum(now); p.accountID == "" || sum < least {
			p.accountID, least = s.AccountID, sum
		}
	}
	return p
}

// lockGrowth asks again, and nobody else adds for the account until the transaction ends.
func (p *payer) lockGrowth() driver.Question {
	const query = `INSERT INTO rates (account_id, name) SELECT id, ? FROM accounts WHERE id = ?
		ON CONFLICT (account_id, name) DO UPDATE SET name = EXCLUDED.name RETURNING used`
	var packed []byte
	return driver.Ask(query, []any{growthName, plain(p.accountID)}, func() (err error) {
		p.growth, err = unpackGrowth(packed)
		return err
	}, &packed)
}

// saveGrowth counts what a check has added.
func (s *script) saveGrowth(p payer, bytes int, now time.Time) {
	if p.accountID != "" && bytes > 0 {
		s.add("UPDATE rates SET used = ? WHERE account_id = ? AND name = ?", packGrowth(p.growth.Add(bytes, now)), plain(p.accountID), growthName)
	}
}

// packGrowth writes two numbers of eight bytes for each part.
func packGrowth(g Growth) []byte {
	packed := make([]byte, 0, 16*len(g))
	for _, add := range g {
		packed = binary.BigEndian.AppendUint64(packed, uint64(add.Until.UnixMilli()))
		packed = binary.BigEndian.AppendUint64(packed, uint64(add.Bytes)) //nolint:gosec // never below zero
	}
	return packed
}

func unpackGrowth(packed []byte) (g Growth, err error) {
	if len(packed)%16 != 0 {
		return nil, fmt.Errorf("a growth of %d bytes", len(packed))
	}
	for ; len(packed) > 0; packed = packed[16:] {
		g = append(g, Grown{
			Until: time.UnixMilli(int64(binary.BigEndian.Uint64(packed))).UTC(), Bytes: int(binary.BigEndian.Uint64(packed[8:])), //nolint:gosec // the bits that packGrowth wrote
		})
	}
	return g, nil
}

// HourlyGrowth is how much the checks of one account's boards may add to the store within any hour, in bytes as
// CheckResult.Grown counts them, unless the operator says otherwise.
const HourlyGrowth = 20_000_000

const (
	growthWindow = time.Hour
	growthSpan   = 5 * time.Minute // what is added within one span is forgotten together
)

// Growth is what the checks of one account's boards have added to the store within an hour, oldest first.
type Growth []Grown

// Grown is what was added until a moment.
type Grown struct {
	Until time.Time
	Bytes int
}

// Sum returns how much counts at a moment. If the clock was set back, everything does, but for no longer than an hour.
func (g Growth) Sum(now time.Time) (sum int) {
	for _, add := range g {
		if since := now.Sub(add.Until); since < growthWindow && since >= -growthWindow {
			sum += add.Bytes
		}
	}
	return sum
}

// Add returns the growth with what is added now.
func (g Growth) Add(bytes int, now time.Time) Growth {
	until := now.Truncate(growthSpan).Add(growthSpan)
	next := slices.DeleteFunc(slices.Clone(g), func(add Grown) bool {
		since := now.Sub(add.Until)
		return since >= growthWindow || since < -growthWindow
	})
	if n := len(next); n > 0 && next[n-1].Until.Equal(until) {
		next[n-1].Bytes += bytes
		return next
	}
	return append(next, Grown{until, bytes})
}
