package receiver

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/config"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
)

type verifyOptions struct {
	secret, secretFile string
	signature          string
	tolerance          time.Duration
	at                 int64
}

// VerifySignature is "boardwatch verify-signature".
func VerifySignature(c *command.CLI) *cobra.Command {
	var o verifyOptions
	cmd := &cobra.Command{
		Use:   "verify-signature --signature HEADER (--secret S|--secret-file F) [FILE|-]",
		Short: "Verify the signature of a webhook delivery; exit 1 if it is not valid",
		Long: `Verify the signature header of a webhook delivery against the raw bytes of its body, read from FILE or standard input.
The exit code is 0 if it is valid and 1 if not, and the reason is printed. -o json gives {valid, reason, ageSeconds},
where reason is malformed, stale, wrong or null.

  boardwatch verify-signature --secret-file hook.secret --signature "t=1763629924,v1=ab12…" body.json
  curl -s … | boardwatch verify-signature --secret-file hook.secret --signature "$HEADER" --at 1763629930 -`,
		Args: command.AtMost(1),
		RunE: func(cmd *cobra.Command, args []string) error { return runVerify(c, cmd, o, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&o.signature, "signature", "", "the signature `HEADER`: t=<unix seconds>,v1=<hex>")
	secretFlags(cmd, &o.secret, &o.secretFile)
	flags.DurationVar(&o.tolerance, "tolerance", boardwatch.SignatureTolerance, "the oldest signature that is accepted")
	flags.Int64Var(&o.at, "at", 0, "calculate the age at this `UNIX` time instead of now")
	return cmd
}

// verdictView is the answer in JSON.
type verdictView struct {
	Valid      bool    `json:"valid"`
	Reason     *string `json:"reason"`     // malformed, stale or wrong; null when valid
	AgeSeconds *int64  `json:"ageSeconds"` // null when the header says no time
}

func runVerify(c *command.CLI, cmd *cobra.Command, o verifyOptions, args []string) error {
	if err := o.check(cmd); err != nil {
		return exit.Usage(cmd, err)
	}
	secret, err := o.readSecret()
	if err != nil {
		return err
	}
	body, err := c.ReadInput(args)
	if err != nil {
		return err
	}
	now := c.Now()
	if cmd.Flags().Changed("at") {
		now = time.Unix(o.at, 0)
	}
	verdict := boardwatch.Verify(secret, body, o.signature, o.tolerance, now)
	view := verdictView{Valid: verdict == nil, Reason: reasonOf(verdict), AgeSeconds: ageOf(o.signature, now)}
	if c.Format() != command.OutputTable {
		if err := command.PrintItem(c, view, verdictColumns()...); err != nil {
			return err
		}
	}
	switch {
	case verdict == nil && c.Format() == command.OutputTable:
		_, err := fmt.Fprintln(c.Out, "the signature is valid, signed "+ago(*view.AgeSeconds))
		return err
	case errors.Is(verdict, boardwatch.ErrSignatureStale):
		return exit.Fail(fmt.Errorf("%w: signed %s, at most %s is allowed", verdict, ago(*view.AgeSeconds), config.ShortDuration(o.tolerance)),
			"Give the time of arrival with --at, or a longer --tolerance.")
	case verdict != nil:
		return exit.Fail(verdict, "")
	default:
		return nil
	}
}

func verdictColumns() []command.Column[verdictView] {
	return []command.Column[verdictView]{
		command.Col("VALID", func(v verdictView) string { return strconv.FormatBool(v.Valid) }),
		command.Col("REASON", func(v verdictView) string { return command.Text(v.Reason) }),
		command.Col("AGE_SECONDS", func(v verdictView) string { return command.Text(v.AgeSeconds) }),
	}
}

func (o verifyOptions) check(cmd *cobra.Command) error {
	if !cmd.Flags().Changed("signature") {
		return errors.New("--signature is missing")
	}
	if err := checkSecretFlags(cmd, o.secret); err != nil {
		return err
	}
	switch {
	case o.tolerance < 0:
		return errors.New("--tolerance must not be negative")
	case o.at < 0:
		return errors.New("--at must not be negative")
	default:
		return nil
	}
}

// readSecret takes the line break off the end of a secret in a file: editors put it there.
func (o verifyOptions) readSecret() ([]byte, error) {
	if o.secretFile == "" {
		return []byte(o.secret), nil
	}
	secret, err := os.ReadFile(o.secretFile)
	if err != nil {
		return nil, exit.Fail(fmt.Errorf("read secret file %s: %w", o.secretFile, config.PlainReadError(err)), "")
	}
	secret = bytes.TrimRight(secret, "\r\n")
	if len(secret) == 0 {
		return nil, exit.Fail(fmt.Errorf("the secret file %s is empty", o.secretFile), "")
	}
	return secret, nil
}

func reasonOf(verdict error) *string {
	reason := "wrong"
	switch {
	case verdict == nil:
		return nil
	case errors.Is(verdict, boardwatch.ErrSignatureMalformed):
		reason = "malformed"
	case errors.Is(verdict, boardwatch.ErrSignatureStale):
		reason = "stale"
	}
	return &reason
}

// ageOf is how long ago the header says it was made; nil when it does not say.
func ageOf(header string, now time.Time) *int64 {
	for part := range strings.SplitSeq(header, ",") {
		if stamp, ok := strings.CutPrefix(strings.TrimSpace(part), "t="); ok {
			if t, err := strconv.ParseInt(stamp, 10, 64); err == nil {
				age := now.Unix() - t
				return &age
			}
		}
	}
	return nil
}

// ago is a span of seconds for a person: "6m12s ago".
func ago(n int64) string {
	span := config.ShortDuration(time.Duration(min(max(n, -n), math.MaxInt32)) * time.Second)
	if n < 0 {
		return span + " ahead of now"
	}
	return span + " ago"
}
