package ats

import (
	"context"
	"errors"
	"fmt"
)

// A namer is a declared adapter whose lists do not always contain the employer's name, but that can request it.
type namer struct {
	*declared

	// employer is the employer's name, or empty if the system shows none. The board is a valid one.
	employer func(ctx context.Context, client Doer, board string) (string, error)
}

// Company requests the employer's name.
func (n namer) Company(ctx context.Context, client Doer, board string) (string, error) {
	if !n.valid(board) {
		return "", fmt.Errorf("name of %s board: %w", n.name, noName())
	}
	name, err := n.employer(ctx, client, board)
	if err != nil {
		return "", fmt.Errorf("name of %s board %s: %w", n.name, board, err)
	}
	return name, nil
}

// inTitle is the employer of a namer whose pages have the employer's name in their titles.
func inTitle(address func(board string) string) func(context.Context, Doer, string) (string, error) {
	return func(ctx context.Context, client Doer, board string) (string, error) {
		content, err := getPage(ctx, client, address(board))
		if err != nil {
			return "", err
		}
		page, err := parsePage(content)
		if err != nil {
			return "", err
		}
		name := companyInTitle(page)
		if name == "" {
			return "", errors.New("its page names nobody")
		}
		return name, nil
	}
}
