package boardwatch_test

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// Call it with the address that is dialled, after the name was resolved.
func ExamplePublicAddr() {
	for _, text := range []string{"93.184.215.14", "10.0.0.1", "169.254.169.254", "::ffff:127.0.0.1", "2606:2800:21f:cb07::1"} {
		fmt.Println(text, boardwatch.PublicAddr(netip.MustParseAddr(text)))
	}
	// Output:
	// 93.184.215.14 true
	// 10.0.0.1 false
	// 169.254.169.254 false
	// ::ffff:127.0.0.1 false
	// 2606:2800:21f:cb07::1 true
}

// The errors of all packages carry one of the eight published codes.
func ExampleCodeOf() {
	err := fmt.Errorf("remove board: %w", boardwatch.NotFound("board"))
	fmt.Println(boardwatch.CodeOf(err), err)
	fmt.Println(boardwatch.CodeOf(fmt.Errorf("read jobs: %w", errors.New("disk full"))))
	// Output:
	// not_found remove board: no such board
	// internal_error
}
