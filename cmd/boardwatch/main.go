// Command boardwatch watches careers pages. It is the service, its administration, and a few tools for people who receive
// its webhooks. This is the only package that knows all others.
package main

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/command"
)

func main() {
	os.Exit(run())
}

// patience is how long after the first interrupt a second one still counts as the same: some programs signal a child and
// then its whole group.
const patience = time.Second

// run is one run of the program. A while after the first interrupt the signal has its usual effect again, so that a
// second one ends the program even where the first is not heard.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	defer stop()
	context.AfterFunc(ctx, func() { time.AfterFunc(patience, stop) })
	// What net/http writes here by itself quotes whatever strangers' servers send.
	log.SetOutput(io.Discard)

	c := &command.CLI{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Environ: os.Environ(),
		OutTerm: command.TerminalOf(os.Stdout), ErrTerm: command.TerminalOf(os.Stderr),
		Now: time.Now,
	}
	return execute(ctx, c, os.Args[1:])
}

// endings are the signals that end the program in good order. A terminal that closes ends what runs on it; anything else
// ignores SIGHUP, which some tools send to ask for settings to be read again.
func endings() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	onTerminal := slices.ContainsFunc([]*os.File{os.Stdin, os.Stdout, os.Stderr}, func(f *os.File) bool { return term.IsTerminal(int(f.Fd())) })
	if onTerminal && !signal.Ignored(syscall.SIGHUP) { // nohup has it ignored
		return append(signals, syscall.SIGHUP)
	}
	signal.Ignore(syscall.SIGHUP)
	return signals
}
