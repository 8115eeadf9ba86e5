// Package receiver has the commands for people who write a receiver of webhooks: listen, trigger and verify-signature.
package receiver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch/receiver"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/service"
	"github.com/boardwatch/boardwatch/transport"
)

type listenOptions struct {
	addr                 string
	secrets, secretFiles []string
	forward              string
}

// Listen is "boardwatch listen".
func Listen(c *command.CLI) *cobra.Command {
	var o listenOptions
	cmd := &cobra.Command{
		Use:   "listen (--secret S|--secret-file F)… [--addr ADDRESS] [--forward URL]",
		Short: "Receive webhooks on this machine, verify and print them",
		Long: `Receive deliveries on this machine, verify them and print each one: {at, valid, reason, id, type, repeat, signature,
status, event}. The output is one object per line, except on a terminal. The signature is the header as received, and
the status is what the sender was answered. A delivery whose signature is not valid is answered with 4xx and printed
with the reason. If several secrets are given, one of them must match.

With --forward, valid deliveries are passed on unchanged to another program, and its answer is returned to the sender.
Redirects are not followed.

  boardwatch listen --secret whsec_test
  boardwatch listen --addr 127.0.0.1:4001 --secret-file hook.secret --forward http://localhost:3000/hook`,
		Args: command.Takes(),
		RunE: func(cmd *cobra.Command, _ []string) error { return listen(c, cmd, o) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.addr, "addr", "127.0.0.1:4000", "`ADDRESS` to listen on; port 0 takes any free one")
	flags.StringArrayVar(&o.secrets, "secret", nil, "a signing `SECRET`, may be repeated; other users of this machine may see it, so --secret-file is safer")
	flags.StringArrayVar(&o.secretFiles, "secret-file", nil, "`FILE` that holds a secret, may be repeated")
	flags.StringVar(&o.forward, "forward", "", "`URL` that valid deliveries are passed on to")
	return cmd
}

func listen(c *command.CLI, cmd *cobra.Command, o listenOptions) error {
	if err := o.check(cmd); err != nil {
		return exit.Usage(cmd, err)
	}
	secrets, err := o.readSecrets()
	if err != nil {
		return err
	}
	cfg, err := c.Config(cmd)
	if err != nil {
		return err
	}
	listener := &listener{
		cli: c, forward: o.forward, signature: cfg.Webhook.HeaderPrefix + "-Signature", seen: make(map[string]bool),
		client: &http.Client{
			Timeout:       cfg.Webhook.Timeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	r, err := receiver.New(secrets, receiver.Options{
		Prefix: cfg.Webhook.HeaderPrefix, Seen: receiver.Forgetful{}, Refused: listener.refused, Now: c.Now,
	})
	if err != nil {
		return err
	}
	socket, err := service.Listen(cmd.Context(), "--addr", o.addr)
	if err != nil {
		return err
	}
	c.Note("listening on http://%s", socket.Addr())
	return transport.NewServer(r.Middleware(listener), transport.Options{MaxBody: receiver.DefaultMaxBody}).Serve(cmd.Context(), socket)
}

func (o listenOptions) check(cmd *cobra.Command) error {
	if len(o.secrets)+len(o.secretFiles) == 0 {
		return errors.New("give the secret, with --secret or --secret-file")
	}
	if slices.Contains(o.secrets, "") {
		return errors.New("the secret is empty")
	}
	if format := cmd.Flag("output").Value.String(); format == command.OutputCSV {
		return errors.New("--output csv is for lists: listen prints json, ndjson or table")
	}
	if err := config.CheckListen(o.addr); err != nil {
		return fmt.Errorf("--addr %w", err)
	}
	if o.forward != "" {
		if err := config.CheckURL(o.forward, "http", "https"); err != nil {
			return fmt.Errorf("--forward %w", err)
		}
	}
	return nil
}

// readSecrets are the secrets of all flags.
func (o listenOptions) readSecrets() ([]string, error) {
	secrets := slices.Clone(o.secrets)
	for _, file := range o.secretFiles {
		s, err := verifyOptions{secretFile: file}.readSecret()
		if err != nil {
			return nil, err
		}
		secrets = append(secrets, string(s))
	}
	return secrets, nil
}

// receivedView is a request that came.
type receivedView struct {
	At        string          `json:"at"`
	Valid     bool            `json:"valid"`
	Reason    *string         `json:"reason"` // why it is not valid, or was not forwarded
	ID        *string         `json:"id"`
	Type      *string         `json:"type"`
	Repeat    bool            `json:"repeat"`    // the id came before
	Signature *string         `json:"signature"` // the header as it came; null when there was none
	Status    int             `json:"status"`    // of the answer: that of the program it was forwarded to, or our own
	Event     json.RawMessage `json:"event"`     // the body; null when it is not valid
}

// listener prints what comes, and forwards it.
type listener struct {
	cli       *command.CLI
	forward   string
	signature string // the name of the header
	client    *http.Client

	mu   sync.Mutex // guards the output too
	seen map[string]bool
}

// refused prints a request that is no delivery, or not signed as it should be.
func (l *listener) refused(r *http.Request, reason error) {
	l.print(receivedView{
		Reason: command.Optional(reason.Error()), Signature: command.Optional(r.Header.Get(l.signature)), Status: receiver.StatusOf(reason),
	})
}

// ServeHTTP takes a delivery that was verified.
func (l *listener) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e, _ := receiver.FromContext(r.Context())
	head := e.Head()
	kind := string(head.Type)
	view := receivedView{
		Valid: true, ID: &head.ID, Type: &kind, Signature: command.Optional(r.Header.Get(l.signature)), Status: http.StatusNoContent, Event: head.Body,
	}
	if l.forward != "" {
		answer, err := l.pass(r, head.Body)
		if err != nil {
			answer = http.StatusBadGateway
			view.Reason = command.Optional("forward: " + forwardFault(err))
		}
		view.Status = answer
	}
	l.print(view)
	w.WriteHeader(view.Status)
}

// pass sends a delivery on as it came and returns the status of the answer.
func (l *listener) pass(r *http.Request, body []byte) (status int, err error) {
	req, err := http.NewRequestWithContext(r.Context(), http.MethodPost, l.forward, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	for name, values := range r.Header {
		switch name {
		case "Connection", "Content-Length", "Transfer-Encoding", "Accept-Encoding", "Expect":
		default:
			req.Header[name] = values
		}
	}
	answer, err := l.client.Do(req)
	if err != nil {
		return 0, err
	}
	_, _ = io.CopyN(io.Discard, answer.Body, 64<<10) // only so that the connection can serve again
	return answer.StatusCode, answer.Body.Close()
}

// forwardFault is why a delivery could not be sent on, without the address: it may be secret.
func forwardFault(err error) string {
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "no answer came in time"
	}
	return err.Error()
}

func (l *listener) print(v receivedView) {
	l.mu.Lock()
	defer l.mu.Unlock()
	v.At = command.Stamp(l.cli.Now())
	if v.ID != nil {
		v.Repeat = l.seen[*v.ID]
		l.seen[*v.ID] = true
	}
	if err := l.write(v); err != nil {
		l.cli.Note("the delivery could not be printed: %v", err)
	}
}

func (l *listener) write(v receivedView) error {
	if l.cli.Format() != command.OutputTable {
		return command.WriteNDJSON(l.cli.Out, []receivedView{v})
	}
	line := l.cli.Now().Format(time.TimeOnly) + "  "
	switch {
	case !v.Valid:
		line += "refused: " + command.Text(v.Reason)
	default:
		line += *v.Type + "  " + *v.ID
		if v.Repeat {
			line += "  again"
		}
		if v.Reason != nil {
			line += "  " + *v.Reason
		} else if l.forward != "" {
			line += fmt.Sprintf("  forwarded: %d", v.Status)
		}
	}
	if _, err := fmt.Fprintln(l.cli.Out, command.Plain(line)); err != nil || !v.Valid {
		return err
	}
	return command.WriteJSON(l.cli.Out, v.Event)
}
