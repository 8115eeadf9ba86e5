//go:build unix

package outbound_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"flag"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/transport/outbound"
)

// serveCold makes the test binary the host of BenchmarkCold, whose CPU must not be counted. It ends with its standard input.
var serveCold = flag.Bool("serve-cold", false, "be the host of BenchmarkCold")

func TestServeCold(t *testing.T) {
	t.Parallel()
	if !*serveCold {
		t.Skip("BenchmarkCold runs this in a process of its own")
	}
	root, chain := coldChain(t)
	listen := func() net.Listener {
		l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		require.NoError(t, err)
		return l
	}
	plain, secure := listen(), listen()
	board := coldBoard()
	go func() { _ = (&http.Server{Handler: board, ReadHeaderTimeout: time.Minute}).Serve(plain) }()
	go func() {
		_ = (&http.Server{
			Handler: board, ReadHeaderTimeout: time.Minute, TLSConfig: &tls.Config{Certificates: []tls.Certificate{chain}, MinVersion: tls.VersionTLS12},
		}).ServeTLS(secure, "", "")
	}()
	questions, err := (&net.ListenConfig{}).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	require.NoError(t, err)
	go answerQuestions(questions, "127.0.0.1")
	fmt.Println(plain.Addr(), secure.Addr(), questions.LocalAddr(), base64.StdEncoding.EncodeToString(root))
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// coldBoard answers everything with 28 kB, packed.
func coldBoard() http.Handler {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	for n := range 28 << 10 / 40 {
		_, _ = fmt.Fprintf(w, `{"id":%09d,"title":"Engineer %d"} `, n*7919, n) // a buffer takes everything
	}
	_ = w.Close()
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(packed.Bytes())
	})
}

// coldChain is a certificate as public hosts have it: signed by one authority, which another one has signed. The root is
// not sent.
func coldChain(t *testing.T) (root []byte, chain tls.Certificate) {
	t.Helper()
	above, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	between, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	authority := func(n int64, name string) *x509.Certificate {
		return &x509.Certificate{
			SerialNumber: big.NewInt(n), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
			IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
		}
	}
	top, middle := authority(1, "Root"), authority(2, "Between")
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(3), Subject: pkix.Name{CommonName: coldName}, NotBefore: middle.NotBefore, NotAfter: middle.NotAfter,
		DNSNames: []string{coldName}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	sign := func(c, by *x509.Certificate, key crypto.PublicKey, with crypto.Signer) []byte {
		der, err := x509.CreateCertificate(rand.Reader, c, by, key, with)
		require.NoError(t, err)
		return der
	}
	root = sign(top, top, above.Public(), above)
	chain.Certificate = [][]byte{sign(leaf, middle, own.Public(), between), sign(middle, top, between.Public(), above)}
	chain.PrivateKey = own
	return root, chain
}

const coldName = "careers.northwind.example"

// coldHost is the other process.
type coldHost struct {
	plain, secure, questions string
	roots                    *x509.CertPool
}

func startColdHost(b *testing.B) coldHost {
	b.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestServeCold$", "-serve-cold")
	stdin, err := cmd.StdinPipe()
	require.NoError(b, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(b, err)
	cmd.Stderr = os.Stderr
	require.NoError(b, cmd.Start())
	b.Cleanup(func() {
		_ = stdin.Close()
		_ = cmd.Wait() // how it ends says nothing
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(b, err)
	var h coldHost
	var root string
	_, err = fmt.Sscan(line, &h.plain, &h.secure, &h.questions, &root)
	require.NoError(b, err)
	der, err := base64.StdEncoding.DecodeString(root)
	require.NoError(b, err)
	certificate, err := x509.ParseCertificate(der)
	require.NoError(b, err)
	h.roots = x509.NewCertPool()
	h.roots.AddCert(certificate)
	return h
}

func (h coldHost) client(b *testing.B) *outbound.Client {
	b.Helper()
	client := outbound.New(outbound.Options{
		AllowLoopback: true, Proxy: noProxy, RootCAs: h.roots, Pause: -1,
		Resolver: &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "udp", h.questions)
		}},
	})
	b.Cleanup(client.CloseIdleConnections)
	return client
}

// BenchmarkCold shows where the time of a board goes that has a host of its own and is read long after its connection was
// closed: it adds one thing after the other. CPU is that of the client alone. Run it with -count: the ways then take turns.
func BenchmarkCold(b *testing.B) {
	host := startColdHost(b)
	_, plainPort, err := net.SplitHostPort(host.plain)
	require.NoError(b, err)
	_, securePort, err := net.SplitHostPort(host.secure)
	require.NoError(b, err)
	for _, way := range []struct {
		name, address string
		kept, forget  bool
	}{
		{name: "kept", address: "https://" + host.secure, kept: true},
		{name: "connection", address: "http://" + host.plain},
		{name: "connection_and_name", address: "http://" + net.JoinHostPort(coldName, plainPort)},
		{name: "name_and_session", address: "https://" + net.JoinHostPort(coldName, securePort)},
		{name: "name_and_handshake", address: "https://" + net.JoinHostPort(coldName, securePort), forget: true},
	} {
		b.Run(way.name, func(b *testing.B) {
			client := host.client(b)
			if way.forget {
				client.ForgetSessions()
			}
			require.NoError(b, fetched(b, client, way.address).Body.Close())
			before := computed(b)
			for b.Loop() {
				if !way.kept {
					client.CloseIdleConnections()
				}
				require.NoError(b, fetched(b, client, way.address).Body.Close())
			}
			b.ReportMetric((computed(b)-before).Seconds()*1e6/float64(b.N), "cpu-us/op")
		})
	}
}
