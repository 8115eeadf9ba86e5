package command

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
)

// ReceiptView is what one attempt met.
type ReceiptView struct {
	Status     *int    `json:"status"` // null: no answer
	DurationMs int64   `json:"durationMs"`
	Error      *string `json:"error"`
}

// ViewReceipt is a receipt as it is printed.
func ViewReceipt(r boardwatch.Receipt) ReceiptView {
	return ReceiptView{Code(r.Code), r.Duration.Milliseconds(), Optional(r.Error)}
}

// PrintReceipt prints what an attempt met. An attempt that was not taken is a negative answer.
func (c *CLI) PrintReceipt(r boardwatch.Receipt) error {
	err := PrintItem(c, ViewReceipt(r),
		Col("STATUS", func(v ReceiptView) string { return cmp.Or(Number(v.Status), "no answer") }),
		Col("TIME", func(v ReceiptView) string { return strconv.FormatInt(v.DurationMs, 10) + " ms" }),
		Col("ERROR", func(v ReceiptView) string { return Text(v.Error) }),
	)
	if err == nil && !r.OK() {
		return exit.Negative()
	}
	return err
}

// Code is a status code; nil when no answer came.
func Code(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

// Number is a number as text, or empty for null.
func Number(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

// Joined are events with commas between them.
func Joined(events []boardwatch.EventType) string {
	names := make([]string, len(events))
	for i, e := range events {
		names[i] = string(e)
	}
	return strings.Join(names, ",")
}
