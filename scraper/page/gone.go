package page

//nolint:gochecknoglobals // a constant pattern
var roleGone = sayings("gone")

// SaysGone reports whether the page says that the role it was about is no longer open, or that there is no such page.
func (d *Document) SaysGone() bool {
	if d.says(missing) {
		return true
	}
	for _, e := range d.within(d.body) {
		if e.own && !e.hidden && !e.longer(300) && roleGone.MatchString(Fold(e.visibleText())) {
			return true
		}
	}
	return false
}
