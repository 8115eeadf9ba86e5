package mcp

import (
	"context"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// agentBoard is a board as agents see it: the published object, and why its last check was not ok.
type agentBoard struct {
	boardwatch.BoardObject

	Cause  *string `json:"cause"`
	Reason *string `json:"reason"`
}

// boardList is what list_boards answers.
type boardList struct {
	Boards []agentBoard `json:"boards"`
	Total  int          `json:"total"`
}

func (k *kit) listBoards() tool {
	return tool{
		name: "list_boards", title: "List boards",
		description: "Lists the careers pages (boards) that are tracked, in the order they were added, as the last scheduled check left them. " +
			"A new board is pending for about a minute. A board whose tracking is locked is past the plan's limit: it is not read and returns no jobs.",
		input:  inputOf(nil, property{"status", enumOf("all", "Only boards with this status.", "pending", "scraping", "ready", "failed", "all")}),
		output: objectOf(property{"boards", listOf(boardSchema())}, property{"total", countSchema}),
		scope:  account.ScopeBoardsRead, hints: hints{readOnly: true, idempotent: true},
		run: func(ctx context.Context, a account.Account, args *arguments) (any, error) {
			word := args.choice("status", "all", "pending", "scraping", "ready", "failed", "all")
			if err := args.err(); err != nil {
				return nil, err
			}
			status, err := track.ParseBoardStatus(word)
			if err != nil {
				return nil, err
			}
			boards, err := k.services.Tracker.Boards(ctx, a, status)
			if err != nil {
				return nil, err
			}
			list := make([]agentBoard, len(boards))
			for i, b := range boards {
				list[i] = plainBoard(b)
			}
			return boardList{list, len(list)}, nil
		},
	}
}

// addedBoard is what add_board answers: the published AddBoardResult, with the board as agents see it.
type addedBoard struct {
	Board  agentBoard `json:"board"`
	Locked bool       `json:"locked"`
}

func (k *kit) addBoard() tool {
	return tool{
		name: "add_board", title: "Track a board",
		description: "Adds a careers page to the list. Give the address of the careers page, of a board at a hosted system, or a company's bare domain. " +
			"A new board is pending for about a minute; ask list_boards until it is ready. locked says that it is past the plan's limit: it is listed, " +
			"not read and returns no jobs until there is room. An error with the code already_tracked means that nothing has to be done.",
		input: inputOf([]string{"url"},
			property{"url", `{"type":"string","minLength":1,"maxLength":500,"description":"A careers page, a board, or a company's domain."}`},
			property{"companyName", `{"type":"string","maxLength":120,"description":"Shown until a check has found the company's own name."}`}),
		output: objectOf(property{"board", boardSchema()}, property{"locked", `{"type":"boolean"}`}),
		scope:  account.ScopeBoardsWrite, hints: hints{idempotent: true, openWorld: true},
		run: func(ctx context.Context, a account.Account, args *arguments) (any, error) {
			wish := track.NewBoard{URL: args.Text("url", true), CompanyName: args.Text("companyName", false)}
			args.judged(wish.Validate())
			if args.Fine("url") {
				args.Add("url", k.services.Tracker.URLFault(wish.URL))
			}
			if err := args.err(); err != nil {
				return nil, err
			}
			added, err := k.services.Tracker.Add(ctx, a, wish)
			if err != nil {
				return nil, err
			}
			return addedBoard{plainBoard(added.Board), added.Locked}, nil
		},
	}
}

// removedBoard is what remove_board answers, with the id that it was given.
type removedBoard struct {
	BoardID string `json:"boardId"`
	Removed bool   `json:"removed"`
}

func (k *kit) removeBoard() tool {
	return tool{
		name: "remove_board", title: "Stop tracking a board",
		description: "Takes a board off the list. This only unsubscribes: the board and its history stay, and adding it again brings everything back. " +
			"An error with the code not_found means that the board is not on the list.",
		input:  inputOf([]string{"boardId"}, property{"boardId", boardIDSchema}),
		output: objectOf(property{"boardId", `{"type":"string"}`}, property{"removed", `{"type":"boolean","const":true}`}),
		scope:  account.ScopeBoardsWrite, hints: hints{destructive: true, idempotent: true},
		run: func(ctx context.Context, a account.Account, args *arguments) (any, error) {
			id := args.boardID(true)
			if err := args.err(); err != nil {
				return nil, err
			}
			if err := k.services.Tracker.Remove(ctx, a, id); err != nil {
				return nil, err
			}
			return removedBoard{id, true}, nil
		},
	}
}
