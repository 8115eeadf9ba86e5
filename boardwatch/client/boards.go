package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// BoardList is the account's list in the order in which boards were added.
type BoardList struct {
	Boards []boardwatch.BoardView `json:"boards"`
	Total  int                    `json:"total"`
}

// Boards lists the boards with a status, or all if it is empty.
func (c *Client) Boards(ctx context.Context, status boardwatch.BoardStatus) (list BoardList, err error) {
	query := url.Values{}
	set(query, "status", string(status))
	_, err = c.do(ctx, call{method: http.MethodGet, path: []string{"v1", "boards"}, query: query, into: &list})
	return list, err
}

// NewBoard is a board to add.
type NewBoard struct {
	URL         string `json:"url"`                   // a careers page, a board of a hosted system, or a company's domain
	CompanyName string `json:"companyName,omitempty"` // shown until the board has given its own
}

// Added is a board that was added.
type Added struct {
	Board  boardwatch.BoardView `json:"board"`
	Locked bool                 `json:"locked"` // it is past the plan's limit, and is not read until there is room
	Ready  bool                 `json:"-"`      // it is known, and its roles can be listed at once
}

// AddBoard adds a board to the list. If it is already there, the error is an *Error with CodeAlreadyTracked that names
// it; a program that synchronises lists can treat that as success.
func (c *Client) AddBoard(ctx context.Context, b NewBoard) (added Added, err error) {
	status, err := c.do(ctx, call{method: http.MethodPost, path: []string{"v1", "boards"}, body: b, into: &added})
	added.Ready = status == http.StatusCreated
	return added, err
}

// DeleteBoard removes a board from the list. The board and its history stay, and adding it again restores everything.
func (c *Client) DeleteBoard(ctx context.Context, id string) error {
	_, err := c.do(ctx, call{method: http.MethodDelete, path: []string{"v1", "boards", id}})
	return err
}

// set adds a parameter that is not empty: the service refuses empty ones.
func set(query url.Values, name, value string) {
	if value != "" {
		query.Set(name, value)
	}
}
