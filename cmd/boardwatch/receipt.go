package main

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/exit"
)

// receiptView is what one attempt met.
type receiptView struct {
	Status     *int    `json:"status"` // null: no answer
	DurationMs int64   `json:"durationMs"`
	Error      *string `json:"error"`
}

func viewReceipt(r boardwatch.Receipt) receiptView {
	return receiptView{code(r.Code), r.Duration.Milliseconds(), optional(r.Error)}
}

// printReceipt prints what an attempt met. An attempt that was not taken is a negative answer.
func (c *cli) printReceipt(r boardwatch.Receipt) error {
	err := printItem(c, viewReceipt(r),
		column[receiptView]{"STATUS", func(v receiptView) string { return cmp.Or(number(v.Status), "no answer") }},
		column[receiptView]{"TIME", func(v receiptView) string { return strconv.FormatInt(v.DurationMs, 10) + " ms" }},
		column[receiptView]{"ERROR", func(v receiptView) string { return text(v.Error) }},
	)
	if err == nil && !r.OK() {
		return exit.Negative()
	}
	return err
}

// code is a status code; nil when no answer came.
func code(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

func number(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

func joined(events []boardwatch.EventType) string {
	names := make([]string, len(events))
	for i, e := range events {
		names[i] = string(e)
	}
	return strings.Join(names, ",")
}
