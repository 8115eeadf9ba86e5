package command

import (
	"cmp"
	"strconv"

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
	return ReceiptView{Optional(r.Code), r.Duration.Milliseconds(), Optional(r.Error)}
}

// PrintReceipt prints what an attempt met. An attempt that was not taken is a negative answer.
func (c *CLI) PrintReceipt(r boardwatch.Receipt) error {
	err := PrintItem(c, ViewReceipt(r),
		Col("STATUS", func(v ReceiptView) string { return cmp.Or(Text(v.Status), "no answer") }),
		Col("TIME", func(v ReceiptView) string { return strconv.FormatInt(v.DurationMs, 10) + " ms" }),
		Col("ERROR", func(v ReceiptView) string { return Text(v.Error) }),
	)
	if err == nil && !r.OK() {
		return exit.Negative()
	}
	return err
}
