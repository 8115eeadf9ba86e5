package turn_test

import (
	"io"
	"net"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/internal/turn"
)

// BenchmarkAnswersBesideWork is how long a question to another process takes, such as a database, while long work is done on
// all processors that it may have.
func BenchmarkAnswersBesideWork(b *testing.B) {
	for _, busy := range []string{"idle", "busy"} {
		b.Run(busy, func(b *testing.B) {
			there, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(b, err)
			defer there.Close()
			go func() {
				conn, err := there.Accept()
				if err == nil {
					_, _ = io.Copy(conn, conn)
				}
			}()
			conn, err := net.Dial("tcp", there.Addr().String())
			require.NoError(b, err)
			defer conn.Close()
			var over atomic.Bool
			defer over.Store(true)
			if busy == "busy" {
				for range runtime.GOMAXPROCS(0) {
					go func() {
						_, w := turn.Begin(b.Context())
						w.GivesWay = true
						sum := 0
						for !over.Load() {
							for i := range 2000 {
								sum += i * i
							}
							w.Step(3)
						}
						runtime.KeepAlive(sum)
					}()
				}
			}
			buf := make([]byte, 8)
			for b.Loop() {
				_, err := conn.Write(buf)
				require.NoError(b, err)
				_, err = io.ReadFull(conn, buf)
				require.NoError(b, err)
			}
		})
	}
}
