package ats

import (
	"context"
	"errors"
	"fmt"
)

// employerOnPage asks for a board's page for people, whose title names the employer.
func employerOnPage(ctx context.Context, client Doer, a Adapter, board, address string) (string, error) {
	content, err := getPage(ctx, client, address)
	if err != nil {
		return "", fmt.Errorf("name of %s board %s: %w", a.Name(), board, err)
	}
	page, err := parsePage(content)
	if err != nil {
		return "", fmt.Errorf("name of %s board %s: %w", a.Name(), board, err)
	}
	name := companyInTitle(page)
	if name == "" {
		return "", fmt.Errorf("name of %s board %s: %w", a.Name(), board, errors.New("its page names nobody"))
	}
	return name, nil
}

// namelessBoard is the error of one who asks for the employer's name of a board that cannot be.
func namelessBoard(a Adapter) error {
	return fmt.Errorf("name of %s board: %w", a.Name(), noName())
}
