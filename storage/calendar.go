package storage

import (
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// calendar computes the days of a time zone. It caches them, because many checks fall on the same day.
type calendar struct {
	zone  *time.Location
	known map[int64]day // by the part of a UTC day that was asked for
}

func newCalendar(zone *time.Location) calendar { return calendar{zone, make(map[int64]day)} }

// day is a calendar day, its first millisecond and that of the next day.
type day struct {
	date        time.Time
	first, next int64
}

func (d day) holds(ms int64) bool { return ms >= d.first && ms < d.next }

// of returns the day of a moment.
func (c calendar) of(ms int64) day {
	const part = int64(6 * time.Hour / time.Millisecond)
	d := c.known[ms/part]
	if !d.holds(ms) {
		date := track.Date(time.UnixMilli(ms), c.zone)
		d = day{date, millis(track.DayBegins(date, c.zone)), millis(track.DayBegins(date.AddDate(0, 0, 1), c.zone))}
		c.known[ms/part] = d
	}
	return d
}
