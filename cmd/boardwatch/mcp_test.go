package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/demo"
)

// TestLocalAgent has an agent on the same machine start the built program and use it while the service runs.
func TestLocalAgent(t *testing.T) {
	t.Parallel()
	binary := buildBinary(t)
	for name, database := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := newCareersSite(t, demo.Role{ID: 1, Title: "Lock Keeper", Location: "Delft", Department: "Water"})
			i := install(t, database(t), "BOARDWATCH_DEV=true", "BOARDWATCH_LOG_LEVEL=debug")
			var made struct{ ID string }
			i.do(&made, "account", "create", "--email", e2eEmail, "--plan", "ultra", "--verified")
			i.serve()
			for _, version := range []string{"2026-07-28", "2025-11-25"} {
				agent := localAgent(t, i, version, binary, "mcp", "--account", e2eEmail)
				list, err := agent.ListTools(t.Context(), mcp.ListToolsRequest{})
				require.NoError(t, err)
				require.Len(t, list.Tools, 5)
				var added struct{ Board boardwatch.BoardView }
				use(t, agent, &added, "add_board", map[string]any{"url": site.URL + "/careers"})
				var found struct{ Jobs []boardwatch.Job }
				require.Eventually(t, func() bool {
					use(t, agent, &found, "search_jobs", map[string]any{"search": "lock"})
					return len(found.Jobs) == 1
				}, time.Minute, 100*time.Millisecond)
				require.Equal(t, "Lock Keeper", found.Jobs[0].Title)
				var boards struct {
					Boards []struct{ Cause, Reason *string }
					Total  int
				}
				use(t, agent, &boards, "list_boards", nil)
				require.Equal(t, 1, boards.Total)
				var updates struct{ Jobs []boardwatch.Job }
				use(t, agent, &updates, "list_updates", nil)
				require.Len(t, updates.Jobs, 1)
				var removed struct{ Removed bool }
				use(t, agent, &removed, "remove_board", map[string]any{"boardId": added.Board.ID})
				require.True(t, removed.Removed)
				require.NoError(t, agent.Close(), "it ends when its input does")
			}
		})
	}

	i := install(t, onSQLite(t), "BOARDWATCH_LOG_LEVEL=debug")
	var made struct{ ID string }
	i.do(&made, "account", "create", "--email", e2eEmail, "--plan", "free")

	t.Run("says nothing but messages on standard output, and answers all that came before the end", func(t *testing.T) {
		t.Parallel()
		var in strings.Builder
		for range 20 {
			in.WriteString(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boards"}}` + "\n")
		}
		in.WriteString("nonsense\n")
		out, _, code := runBinary(t, i, in.String(), binary, "mcp", "--account", e2eEmail)
		require.Zero(t, code)
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		require.Len(t, lines, 21)
		for _, line := range lines {
			var m struct {
				JSONRPC string `json:"jsonrpc"`
			}
			require.NoError(t, json.Unmarshal([]byte(line), &m), line)
			require.Equal(t, "2.0", m.JSONRPC)
		}
	})

	t.Run("tells an account that is not there on standard error", func(t *testing.T) {
		t.Parallel()
		out, errs, code := runBinary(t, i, "", binary, "mcp", "--account", "nobody@northwind.example")
		require.Equal(t, 1, code)
		require.Empty(t, out)
		require.Contains(t, errs, "no account has the address nobody@northwind.example")
	})

	t.Run("stops at SIGTERM while it waits for input", func(t *testing.T) {
		t.Parallel()
		cmd := exec.CommandContext(t.Context(), binary, "mcp", "--account", e2eEmail, "--read-only")
		cmd.Env = i.env
		in, err := cmd.StdinPipe()
		require.NoError(t, err)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		_, err = io.WriteString(in, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n")
		require.NoError(t, err)
		var answer struct {
			Result struct{ Tools []struct{ Name string } }
		}
		require.NoError(t, json.NewDecoder(out).Decode(&answer))
		require.Len(t, answer.Result.Tools, 3)
		require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
		require.NoError(t, cmd.Wait(), "it ends in an orderly way")
	})
}

// TestAnAgentFindsRolesByPay has an agent answer "Which new remote roles in Portugal pay over 60,000?" with two calls.
func TestAnAgentFindsRolesByPay(t *testing.T) {
	t.Parallel()
	binary := buildBinary(t)
	for name, database := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := install(t, database(t))
			i.do(&struct{}{}, "account", "create", "--email", e2eEmail, "--plan", "ultra", "--verified")
			var first, all []boardwatch.Posting
			for n, place := range []boardwatch.Place{{Text: "Lisbon", Country: "PT"}, {Text: "Madrid", Country: "ES"}, {Text: "Porto, Portugal", Country: "PT"}} {
				for k, pay := range []boardwatch.Pay{
					{},
					{Min: 40_000, Max: 55_000, Currency: "EUR", Period: boardwatch.PerYear},
					{Min: 58_000, Max: 70_000, Currency: "EUR", Period: boardwatch.PerYear},
					{Min: 5_500, Currency: "EUR", Period: boardwatch.PerMonth},
					{Min: 20, Currency: "EUR", Period: boardwatch.PerHour},
				} {
					for m, mode := range boardwatch.WorkModes() {
						p := boardwatch.Posting{
							Key: fmt.Sprint(n, k, m), Title: fmt.Sprintf("Role %d%d%d", n, k, m), Location: place.Text, Text: "About " + place.Text + ".",
							Facts: boardwatch.Facts{Mode: mode, Pay: pay, Places: []boardwatch.Place{place}},
						}
						if all = append(all, p); n == 2 && k == 2 {
							first = append(first, p) // these are not new
						}
					}
				}
			}
			last := keepReadings(t, strings.TrimPrefix(i.env[2], "BOARDWATCH_DATABASE="), first, all)

			type answer struct {
				Jobs []struct {
					Title, Text string
					Facts       boardwatch.Facts
				}
				Total    int
				NextSkip *int
			}
			agent := localAgent(t, i, "2025-11-25", binary, "mcp", "--account", e2eEmail, "--read-only")
			question := map[string]any{
				"mode": "remote", "payFrom": 60_000, "currency": "EUR", "addedAfter": last.Add(-time.Millisecond).Format(boardwatch.TimeFormat), "includeText": true, "limit": 3,
			}
			var calls [2]answer
			use(t, agent, &calls[0], "search_jobs", question)
			require.NotNil(t, calls[0].NextSkip)
			question["skip"] = *calls[0].NextSkip
			use(t, agent, &calls[1], "search_jobs", question)
			require.Nil(t, calls[1].NextSkip, "that is all")
			var inPortugal []string
			for _, call := range calls {
				require.Equal(t, 5, call.Total)
				for _, j := range call.Jobs {
					require.Equal(t, "About "+j.Facts.Places[0].Text+".", j.Text)
					if j.Facts.Places[0].Country == "PT" {
						inPortugal = append(inPortugal, j.Title+" pays "+j.Facts.Pay.String())
					}
				}
			}
			require.ElementsMatch(t, []string{
				"Role 020 pays 58,000–70,000 EUR per year", "Role 030 pays from 5,500 EUR per month", "Role 230 pays from 5,500 EUR per month",
			}, inPortugal)
			require.NoError(t, agent.Close())
		})
	}
}

// localAgent is a client that has started the program and greeted it.
func localAgent(t *testing.T, i *installation, version, binary string, args ...string) *client.Client {
	t.Helper()
	c := client.NewClient(transport.NewStdio(binary, i.env, args...), client.WithProtocolVersion(version))
	require.NoError(t, c.Start(t.Context()))
	hello, err := c.Initialize(t.Context(), greeting(version))
	require.NoError(t, err)
	require.Equal(t, version, hello.ProtocolVersion)
	return c
}

// use calls a tool that has to succeed.
func use(t *testing.T, c *client.Client, into any, tool string, arguments map[string]any) {
	t.Helper()
	result, err := c.CallTool(t.Context(), mcp.CallToolRequest{Params: mcp.CallToolParams{Name: tool, Arguments: arguments}})
	require.NoError(t, err)
	require.False(t, result.IsError, "%v", result.Content)
	raw, err := json.Marshal(result.StructuredContent)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, into))
}

// runBinary runs the built program to its end.
func runBinary(t *testing.T, i *installation, in, binary string, args ...string) (out, errs string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, args...)
	cmd.Env, cmd.Stdin = i.env, strings.NewReader(in)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil {
		require.ErrorAs(t, err, &exit)
		code = exit.ExitCode()
	}
	return stdout.String(), stderr.String(), code
}
