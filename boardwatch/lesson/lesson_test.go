package lesson_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/cause"
	"github.com/boardwatch/boardwatch/boardwatch/lesson"
	"github.com/boardwatch/boardwatch/storage"
	"github.com/boardwatch/boardwatch/storage/storagetest"
)

type instructor func(ctx context.Context, b boardwatch.Board, l boardwatch.Lesson) (boardwatch.Lesson, error)

func (i instructor) Instruct(ctx context.Context, b boardwatch.Board, l boardwatch.Lesson) (boardwatch.Lesson, error) {
	return i(ctx, b, l)
}

// asked returns a store with a waiting question about a board.
func asked(t *testing.T) (store *storage.Store, boardID string) {
	t.Helper()
	store = storagetest.Open(t, storage.Options{SealKey: []byte(storagetest.SealKey)})
	a := account.Account{ID: boardwatch.NewID(), Email: "ann@northwind.example", Plan: account.PlanPro, CreatedAt: boardwatch.Milli(time.Now())}
	require.NoError(t, store.CreateAccount(t.Context(), a))
	b, _, err := store.Subscribe(t.Context(), boardwatch.Subscription{AccountID: a.ID}, boardwatch.Board{Source: "page:https://northwind.example"}, "")
	require.NoError(t, err)
	require.NoError(t, store.AskLesson(t.Context(), boardwatch.Lesson{BoardID: b.ID, Like: []string{"Cook"}}))
	return store, b.ID
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		says   instructor
		cause  cause.Cause
		reason string
	}{
		"is kept": {func(_ context.Context, b boardwatch.Board, l boardwatch.Lesson) (boardwatch.Lesson, error) {
			l.Recipe, l.Health = "recipe of "+b.Source, boardwatch.HealthOK
			return l, nil
		}, "", ""},
		"says that the page could not be had": {func(_ context.Context, _ boardwatch.Board, l boardwatch.Lesson) (boardwatch.Lesson, error) {
			return l, errors.New("no network")
		}, cause.Internal, "no network"},
		"says that it took too long": {func(ctx context.Context, _ boardwatch.Board, l boardwatch.Lesson) (boardwatch.Lesson, error) {
			<-ctx.Done()
			return l, ctx.Err()
		}, cause.Timeout, "within 100ms"},
		"says that the reader broke": {func(context.Context, boardwatch.Board, boardwatch.Lesson) (boardwatch.Lesson, error) {
			panic("oh")
		}, cause.Internal, "a bug in boardwatch"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, id := asked(t)
			desk := lesson.New(store, tt.says, lesson.Options{Timeout: 100 * time.Millisecond})
			answered, err := desk.Answer(t.Context())
			require.NoError(t, err)
			require.True(t, answered)
			l, err := store.Lesson(t.Context(), id)
			require.NoError(t, err)
			require.True(t, l.Done)
			require.Equal(t, []string{"Cook"}, l.Like)
			require.Equal(t, tt.cause, l.Cause)
			require.Contains(t, l.Reason, tt.reason)
			require.Equal(t, tt.cause == "", l.Recipe == "recipe of page:https://northwind.example")
			answered, err = desk.Answer(t.Context())
			require.NoError(t, err)
			require.False(t, answered, "nothing else waits")
		})
	}
}

func TestRunAnswersUntilTheContextEnds(t *testing.T) {
	t.Parallel()
	store, id := asked(t)
	ctx, cancel := context.WithCancel(t.Context())
	says := instructor(func(_ context.Context, _ boardwatch.Board, l boardwatch.Lesson) (boardwatch.Lesson, error) {
		defer cancel()
		return l, nil
	})
	require.NoError(t, lesson.New(store, says, lesson.Options{Pause: time.Millisecond}).Run(ctx))
	l, err := store.Lesson(t.Context(), id)
	require.NoError(t, err)
	require.False(t, l.Done, "an answer that was broken off is none: the question is taken again")
}
