package scraper_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"
)

func TestXInv(t *testing.T) {
	for _, a := range os.Args {
		if n, err := strconv.Atoi(a); err == nil {
			p := invent(n)
			r := read(t, anywhere([]byte(p.page)), p.address)
			fmt.Println("==", p.name, r.Health, r.Reason)
			for _, w := range p.want.Roles {
				fmt.Println("  want", w)
			}
			for _, g := range r.Postings {
				fmt.Println("  got ", g.Title, "|", g.Location, "|", g.Department, "|", g.URL)
			}
			if os.Getenv("XP") != "" {
				fmt.Println(p.page)
			}
		}
	}
}
