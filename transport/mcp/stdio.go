package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"golang.org/x/sync/errgroup"

	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/transport"
)

// atOnce is how many messages of one agent are answered at the same time. Further ones wait.
const atOnce = 8

// StdioOptions are the settings of a Stdio.
type StdioOptions struct {
	BaseURL  string           // the address of the service, for people; may be empty
	ReadOnly bool             // only the tools that change nothing
	Version  string           // of the program
	Log      *slog.Logger     // nil means that nothing is logged
	Now      func() time.Time // the clock; nil means time.Now
}

// Stdio answers one agent on the same machine, one JSON-RPC message a line. The tools, their answers and their budget are
// those of /mcp. Who can start it can read the database, so there is no token.
type Stdio struct {
	*kit

	owner  func(ctx context.Context) (account.Account, error)
	scopes []account.Scope
	server *server.MCPServer
}

// NewStdio returns a Stdio that works for one account, which owner looks up for every message: it may have been deleted
// meanwhile, or have another plan.
func NewStdio(s Services, owner func(ctx context.Context) (account.Account, error), o StdioOptions) *Stdio {
	t := &Stdio{
		kit: newKit(s, o.BaseURL, o.Version, o.Log, o.Now), owner: owner,
		scopes: []account.Scope{account.ScopeBoardsRead, account.ScopeBoardsWrite},
	}
	if o.ReadOnly {
		t.scopes = t.scopes[:1]
	}
	allowed := slices.DeleteFunc(t.allTools(), func(one tool) bool { return !slices.Contains(t.scopes, one.scope) })
	t.server = t.newServer(instructions, allowed)
	return t
}

// Serve answers what comes in until it ends, or until the context does. Messages that came before the end are answered. Out
// gets nothing but messages. When the context ends, reading goes on until in has said something more: a read cannot be
// called off.
func (t *Stdio) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	to := &lineWriter{out: out}
	messages := linesOf(ctx, in)
	for {
		select {
		case <-ctx.Done():
			return group.Wait()
		case m, more := <-messages:
			switch {
			case !more:
				return group.Wait()
			case m.err != nil:
				return errors.Join(fmt.Errorf("read messages: %w", m.err), group.Wait())
			}
			group.Go(func() error { return t.answer(ctx, m, to) })
		}
	}
}

// answer answers one message. Notifications and answers to nothing get no answer.
func (t *Stdio) answer(ctx context.Context, l line, to *lineWriter) error {
	if l.long {
		return to.write(marshal(faultMessage(nil, codeInvalidRequest, "a message must be at most 1 MiB long", nil)))
	}
	m, code, fault := readMessage(l.text)
	if fault != "" {
		return to.write(marshal(faultMessage(nil, code, fault, nil)))
	}
	if m.Method == "" {
		return nil // the answer to a question that nobody asked
	}
	inTime, cancel := context.WithTimeoutCause(ctx, longest, errors.New("the answer took too long"))
	defer cancel()
	lines := t.handle(inTime, m, l.text)
	if ctx.Err() != nil {
		return nil
	}
	return to.write(lines...)
}

// handle lets mcp-go handle a message, and returns the lines to write, in order.
func (t *Stdio) handle(ctx context.Context, m message, text []byte) (lines [][]byte) {
	defer func() {
		if fault := recover(); fault != nil {
			t.log.ErrorContext(ctx, "message panicked", slog.Any("panic", fault), slog.String("stack", string(debug.Stack())))
			lines = [][]byte{marshal(faultMessage(m.ID, mcpgo.INTERNAL_ERROR, transport.ErrBroken.Error(), nil))}
		}
	}()
	c := &call{id: m.ID, begun: make(chan struct{})}
	close(c.begun) // what the library says beforehand is written before its answer anyway
	owner, err := t.owner(ctx)
	c.caller, c.barred = account.Caller{Account: owner, Scopes: t.scopes}, err

	session := &aside{told: make(chan mcpgo.JSONRPCNotification, 8)}
	ctx = context.WithValue(server.WithSupportedProtocolVersions(ctx, versions()), callKey{}, c)
	reply := t.server.HandleMessage(t.server.WithContext(ctx, session), m.numbered(text))
	for len(session.told) > 0 {
		lines = append(lines, marshal(<-session.told))
	}
	if reply != nil {
		lines = append(lines, bytes.TrimRight(c.framed(marshal(reply)), "\n"))
	}
	return lines
}

// aside gathers what the library tells beside its answer to one message. It stands for the client's session: nothing here
// outlasts a message.
type aside struct {
	told chan mcpgo.JSONRPCNotification
}

// Initialize has nothing to do.
func (a *aside) Initialize() {}

// Initialized is true: no tool waits for a greeting.
func (a *aside) Initialized() bool { return true }

// NotificationChannel takes what is told.
func (a *aside) NotificationChannel() chan<- mcpgo.JSONRPCNotification { return a.told }

// SessionID is the same for all messages, so that one can call another one off.
func (a *aside) SessionID() string { return "stdio" }

// lineWriter writes whole lines, those of one answer together.
type lineWriter struct {
	mu  sync.Mutex
	out io.Writer
}

func (w *lineWriter) write(lines ...[]byte) error {
	if len(lines) == 0 {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := w.out.Write(append(bytes.Join(lines, []byte("\n")), '\n')); err != nil {
		return fmt.Errorf("write answer: %w", err)
	}
	return nil
}

// line is one line of what comes in.
type line struct {
	text []byte
	long bool // longer than MaxBody: it was not kept
	err  error
}

// linesOf reads lines until there are no more, or the context ends. Empty ones are left out.
func linesOf(ctx context.Context, in io.Reader) <-chan line {
	lines := make(chan line)
	go func() {
		defer close(lines)
		r := bufio.NewReader(in)
		for more := true; more; {
			l := readLine(r)
			more = l.err == nil
			if errors.Is(l.err, io.EOF) {
				l.err = nil
			}
			if len(l.text) == 0 && !l.long && l.err == nil {
				continue
			}
			select {
			case lines <- l:
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

func readLine(r *bufio.Reader) line {
	var l line
	for {
		part, err := r.ReadSlice('\n')
		if l.long = l.long || len(l.text)+len(part) > MaxBody; l.long {
			l.text = nil
		} else {
			l.text = append(l.text, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			l.text, l.err = bytes.TrimSpace(l.text), err
			return l
		}
	}
}

var _ server.ClientSession = (*aside)(nil)
