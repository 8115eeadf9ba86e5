package oauth_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/dns/dnsmessage"

	"github.com/boardwatch/boardwatch/transport/oauth"
)

// names is a name server whose answer for any name changes from question to question, as that of somebody does who wants
// one address to be judged and another one to be dialled.
type names struct {
	conn net.PacketConn

	mu      sync.Mutex
	answers [][]string // to the questions; the last one stays
	asked   int
}

func newNames(t *testing.T, answers ...[]string) *names {
	t.Helper()
	conn, err := (&net.ListenConfig{}).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	require.NoError(t, err)
	n := &names{conn: conn, answers: answers}
	var served sync.WaitGroup
	served.Go(n.serve)
	t.Cleanup(func() { _ = conn.Close(); served.Wait() })
	return n
}

func (n *names) serve() {
	question := make([]byte, 1500)
	for {
		size, from, err := n.conn.ReadFrom(question)
		if err != nil {
			return
		}
		if reply := n.reply(question[:size]); reply != nil {
			_, _ = n.conn.WriteTo(reply, from)
		}
	}
}

func (n *names) reply(question []byte) []byte {
	var m dnsmessage.Message
	if m.Unpack(question) != nil || len(m.Questions) != 1 {
		return nil
	}
	m.Response, m.Authoritative, m.Additionals = true, true, nil
	if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
		for _, address := range n.next() {
			m.Answers = append(m.Answers, dnsmessage.Resource{
				Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
				Body:   &dnsmessage.AResource{A: [4]byte(net.ParseIP(address).To4())},
			})
		}
	}
	reply, _ := m.Pack()
	return reply
}

func (n *names) next() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked++
	return n.answers[min(n.asked, len(n.answers))-1]
}

func (n *names) count() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.asked
}

func (n *names) resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", n.conn.LocalAddr().String())
	}}
}

// named is the publisher under a name that its certificate holds for.
func (p *publisher) named(t *testing.T) string {
	t.Helper()
	_, port, err := net.SplitHostPort(p.Listener.Addr().String())
	require.NoError(t, err)
	return "https://example.com:" + port + "/client.json"
}

func TestDocumentsOfNamesThatRebind(t *testing.T) {
	t.Parallel()
	t.Run("a name that leads to this machine later is refused when it does", func(t *testing.T) {
		t.Parallel()
		p := newPublisher(t)
		p.describes("")
		// 198.51.100.7 is for documentation and 0.0.0.0 nobody's: neither is dialled either.
		n := newNames(t, []string{"198.51.100.7"}, []string{"127.0.0.1"}, []string{"0.0.0.0", "127.0.0.1"}, []string{"169.254.169.254"})
		d := p.documentsBy(oauth.DocumentOptions{Resolver: n.resolver()})
		for range 4 {
			_, err := d.Client(t.Context(), ann, p.named(t), nil)
			require.Contains(t, reason(t, err), "may not be asked")
			p.now.Add(time.Minute.Milliseconds()) // until the fault is forgotten
		}
		require.Equal(t, 4, n.count())
		require.Zero(t, p.fetched.Load())
	})
	t.Run("a name is looked up once, and what is judged is dialled", func(t *testing.T) {
		t.Parallel()
		p := newPublisher(t)
		p.answers(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprintf(w, `{"client_id":%q,"client_name":"Assistant","redirect_uris":[%q]}`, p.named(t), callback)
		})
		n := newNames(t, []string{"127.0.0.1"}, []string{"10.0.0.1"})
		d := p.documentsBy(oauth.DocumentOptions{Resolver: n.resolver(), Loopback: true})
		_, err := d.Client(t.Context(), ann, p.named(t), nil)
		require.NoError(t, err)
		require.Equal(t, 1, n.count())
		p.now.Add((5 * time.Minute).Milliseconds())
		_, err = d.Client(t.Context(), ann, p.named(t), nil)
		require.Contains(t, reason(t, err), "may not be asked", "the name leads into the network now")
		require.EqualValues(t, 1, p.fetched.Load())
	})
	t.Run("of several addresses none that may not be asked is", func(t *testing.T) {
		t.Parallel()
		p := newPublisher(t)
		p.describes("")
		n := newNames(t, []string{"10.0.0.1", "192.168.1.1", "127.0.0.1", "100.64.0.1"})
		_, err := p.documentsBy(oauth.DocumentOptions{Resolver: n.resolver()}).Client(t.Context(), ann, p.named(t), nil)
		require.Contains(t, reason(t, err), "may not be asked")
		require.Zero(t, p.fetched.Load())
	})
}
