package diagnosis

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch/pace"
)

// slowHostsNamed is how many hosts the doctor names that are asked less often than usual.
const slowHostsNamed = 5

// examinePace names hosts that are asked less often than usual because they refused requests.
func examinePace(ctx context.Context, store pace.Store) Finding {
	slow, err := store.SlowHosts(ctx, slowHostsNamed+1)
	if err != nil {
		return Finding{"pace", Fault, err.Error()}
	}
	if len(slow) == 0 {
		return Finding{"pace", OK, "no host has asked for fewer requests"}
	}
	var said []string
	for _, h := range slow[:min(len(slow), slowHostsNamed)] {
		said = append(said, slowness(h))
	}
	if len(slow) > slowHostsNamed {
		said = append(said, "and more")
	}
	return Finding{"pace", Warning, strings.Join(said, ", ")}
}

// slowness says how a host is asked.
func slowness(h pace.SlowHost) string {
	host := strings.TrimSuffix(strings.TrimSuffix(h.Host, ":443"), ":80")
	if h.Quiet > 0 {
		return fmt.Sprintf("%s wants to be left alone for another %s", host, max(h.Quiet.Round(time.Second), time.Second))
	}
	return fmt.Sprintf("%s is asked at %d %% of its pace, because it refused requests", host, int(math.Floor(h.Part*100)))
}
