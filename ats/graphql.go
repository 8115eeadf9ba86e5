package ats

import (
	"context"
	"encoding/json"
)

// graphQuery is one question in GraphQL.
type graphQuery struct {
	OperationName string         `json:"operationName,omitempty"`
	Variables     map[string]any `json:"variables"`
	Query         string         `json:"query"`
}

// askGraph sends a question and decodes the data of the answer into what into points at. Errors that come with status 200
// are errors; what they say is for the caller to judge where it means that there is no such board.
func askGraph(ctx context.Context, client Doer, address string, query graphQuery, into any) error {
	var said struct {
		Data   json.RawMessage `json:"data"`
		Errors []struct {
			Message string `json:"message"`
		} `json:"errors"`
	}
	if err := postJSON(ctx, client, address, query, &said); err != nil {
		return err
	}
	if len(said.Errors) > 0 {
		return didf("answered with an error: %s", collapse(said.Errors[0].Message))
	}
	if len(said.Data) == 0 || string(said.Data) == "null" {
		return didf("answered without data")
	}
	if err := decodeJSON(said.Data, into); err != nil {
		return err
	}
	signsOf(ctx).hear(address+"#data", said.Data, into)
	return nil
}
