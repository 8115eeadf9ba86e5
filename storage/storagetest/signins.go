package storagetest

import (
	"maps"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
)

const issuer = "https://login.example"

// login connects a person at the provider to an account.
func (w *world) login(a account.Account, subject string) account.Login {
	w.t.Helper()
	now := w.now()
	l := account.Login{Issuer: issuer, Subject: subject, AccountID: a.ID, Email: a.Email, CreatedAt: now, LastUsedAt: now}
	got, err := w.Connect(w.t.Context(), l, account.Connection{})
	require.NoError(w.t, err)
	require.Equal(w.t, a.ID, got.ID)
	return l
}

// wonOne runs all at once: one must succeed, and all others must be refused with the code.
func wonOne(t *testing.T, code boardwatch.Code, all ...func() error) {
	t.Helper()
	var won atomic.Int32
	var group sync.WaitGroup
	for _, run := range all {
		group.Go(func() {
			if err := run(); err == nil {
				won.Add(1)
			} else if boardwatch.CodeOf(err) != code {
				t.Error(err)
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 1, won.Load())
}

// passkey gives an account a passkey.
func (w *world) passkey(a account.Account, name string) account.Passkey {
	w.t.Helper()
	p := account.Passkey{
		ID: boardwatch.NewID(), AccountID: a.ID, CredentialID: account.NewToken(), Name: name, Credential: []byte("{\"\x00\"}"),
		Uses: 1, CreatedAt: w.now(),
	}
	require.NoError(w.t, w.CreatePasskey(w.t.Context(), p, account.MaxPasskeys))
	return p
}

func signInCases() cases {
	all := loginCases()
	maps.Copy(all, passkeyCases())
	maps.Copy(all, usedTokenCases())
	return all
}

func loginCases() cases {
	return cases{
		"a login is found by its issuer and subject, with its account": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			l := w.login(a, "ada")
			got, owner, err := w.LoginBySubject(t.Context(), issuer, "ada")
			require.NoError(t, err)
			require.Equal(t, l, got)
			require.Equal(t, a, owner)
			l.Email, l.LastUsedAt = "new@login.example", l.LastUsedAt.Add(time.Hour)
			require.NoError(t, w.TouchLogin(t.Context(), issuer, "ada", l.Email, l.LastUsedAt))
			list, err := w.Logins(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, []account.Login{l}, list)
			for _, other := range [][2]string{{issuer, "ADA"}, {issuer + "/", "ada"}, {issuer, ""}} {
				_, _, err = w.LoginBySubject(t.Context(), other[0], other[1])
				hasCode(t, boardwatch.CodeNotFound, err)
			}
			hasCode(t, boardwatch.CodeNotFound, w.TouchLogin(t.Context(), issuer, "eve", "", w.now()))
			require.NoError(t, w.DeleteAccount(t.Context(), a.ID))
			_, _, err = w.LoginBySubject(t.Context(), issuer, "ada")
			hasCode(t, boardwatch.CodeNotFound, err)
		},
		"a login belongs to one account": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanPro), w.account(account.PlanPro)
			l := w.login(a, "ada")
			l.AccountID = other.ID
			_, err := w.Connect(t.Context(), l, account.Connection{})
			hasCode(t, boardwatch.CodeInvalidRequest, err)
			l.Subject, l.AccountID = "free", "nobody"
			_, err = w.Connect(t.Context(), l, account.Connection{})
			hasCode(t, boardwatch.CodeNotFound, err)
			_, owner, err := w.LoginBySubject(t.Context(), issuer, "ada")
			require.NoError(t, err)
			require.Equal(t, a.ID, owner.ID)
		},
		"an account found by its address gets a single login, and only while it has that address": func(t *testing.T, w *world) {
			a := w.account(account.PlanPro)
			l := account.Login{Issuer: issuer, Subject: "ada", AccountID: a.ID, Email: a.Email, CreatedAt: w.now(), LastUsedAt: w.now()}
			_, err := w.Connect(t.Context(), l, account.Connection{Email: "old@example.com", Sole: true})
			hasCode(t, boardwatch.CodeNotFound, err)
			_, err = w.Connect(t.Context(), l, account.Connection{Email: a.Email, Sole: true})
			require.NoError(t, err)
			l.Subject = "eve"
			_, err = w.Connect(t.Context(), l, account.Connection{Email: a.Email, Sole: true})
			hasCode(t, boardwatch.CodeInvalidRequest, err)
			list, err := w.Logins(t.Context(), a.ID)
			require.NoError(t, err)
			require.Len(t, list, 1)
		},
		"an account that is reclaimed keeps nothing that somebody else may hold": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanPro), w.account(account.PlanPro)
			require.NoError(t, w.SetPassword(t.Context(), a.ID, "hash"))
			require.NoError(t, w.SetVerified(t.Context(), a.ID, false))
			w.login(a, "eve")
			w.passkey(a, "Eve's")
			s, kept := w.session(a, w.now()), w.session(other, w.now())
			link := w.link(account.LinkVerify, a)
			l := account.Login{Issuer: issuer, Subject: "ada", AccountID: a.ID, Email: a.Email, CreatedAt: w.now(), LastUsedAt: w.now()}
			got, err := w.Connect(t.Context(), l, account.Connection{Email: a.Email, Reclaim: true})
			require.NoError(t, err)
			require.True(t, got.Verified)
			require.Empty(t, got.PasswordHash)
			saved, err := w.Account(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, got, saved)
			list, err := w.Logins(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, []account.Login{l}, list)
			passkeys, err := w.Passkeys(t.Context(), a.ID)
			require.NoError(t, err)
			require.Empty(t, passkeys)
			_, _, err = w.SessionByHash(t.Context(), s.Hash)
			hasCode(t, boardwatch.CodeNotFound, err)
			_, _, err = w.SessionByHash(t.Context(), kept.Hash)
			require.NoError(t, err)
			_, err = w.Link(t.Context(), account.LinkVerify, link.Hash, w.now())
			hasCode(t, boardwatch.CodeNotFound, err)
		},
		"a login creates an account, once per invitation": func(t *testing.T, w *world) {
			host := w.account(account.PlanPro)
			invitation := w.link(account.LinkInvite, host)
			now := w.now()
			var all []func() error
			for i := range 6 {
				name := "guest" + strconv.Itoa(i)
				a := account.Account{ID: boardwatch.NewID(), Email: name + "@example.com", Plan: account.PlanFree, Verified: true, CreatedAt: now}
				l := account.Login{Issuer: issuer, Subject: name, Email: a.Email, CreatedAt: now, LastUsedAt: now}
				all = append(all, func() error {
					_, err := w.Connect(t.Context(), l, account.Connection{Create: &a, Invitation: invitation.Hash})
					return err
				})
			}
			wonOne(t, boardwatch.CodeNotFound, all...)
			accounts, err := w.Accounts(t.Context())
			require.NoError(t, err)
			require.Len(t, accounts, 2)
		},
		"one person gets one account, however often they sign in at once": func(t *testing.T, w *world) {
			now := w.now()
			come := func() error {
				a := account.Account{ID: boardwatch.NewID(), Email: boardwatch.NewID() + "@example.com", Plan: account.PlanFree, Verified: true, CreatedAt: now}
				_, err := w.Connect(t.Context(), account.Login{Issuer: issuer, Subject: "twice", CreatedAt: now, LastUsedAt: now}, account.Connection{Create: &a})
				return err
			}
			wonOne(t, boardwatch.CodeInvalidRequest, come, come, come, come)
			accounts, err := w.Accounts(t.Context())
			require.NoError(t, err)
			require.Len(t, accounts, 1)
		},
		"an account counts once for each way in": func(t *testing.T, w *world) {
			a, b := w.account(account.PlanPro), w.account(account.PlanPro)
			w.account(account.PlanPro)
			require.NoError(t, w.SetPassword(t.Context(), a.ID, "hash"))
			w.login(a, "ada")
			w.login(a, "ada's other self")
			w.passkey(a, "Phone")
			w.passkey(a, "Laptop")
			w.passkey(b, "Phone")
			f, err := w.Figures(t.Context())
			require.NoError(t, err)
			require.Equal(t, 1, f.Ways[account.WayPassword])
			require.Equal(t, 1, f.Ways[account.WayProvider])
			require.Equal(t, 2, f.Ways[account.WayPasskey])
		},
		"the last way in stays, even if several are removed at once": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanPro), w.account(account.PlanPro)
			w.login(a, "ada")
			p := w.passkey(a, "Phone")
			all := account.OtherWays{Password: true, Issuer: issuer, Passkeys: true}
			hasCode(t, boardwatch.CodeNotFound, w.DropLogin(t.Context(), other.ID, issuer, "ada", all))
			hasCode(t, boardwatch.CodeNotFound, w.DropPasskey(t.Context(), other.ID, p.ID, all))
			for _, none := range []account.OtherWays{{Password: true, Issuer: issuer}, {Issuer: "https://gone.example"}} {
				hasCode(t, boardwatch.CodeInvalidRequest, w.DropLogin(t.Context(), a.ID, issuer, "ada", none))
			}
			wonOne(t, boardwatch.CodeInvalidRequest,
				func() error { return w.DropLogin(t.Context(), a.ID, issuer, "ada", all) },
				func() error { return w.DropPasskey(t.Context(), a.ID, p.ID, all) })
		},
	}
}

func passkeyCases() cases {
	return cases{
		"passkeys are saved, named, used and removed": func(t *testing.T, w *world) {
			a, other := w.account(account.PlanPro), w.account(account.PlanPro)
			p := w.passkey(a, "Phone")
			twin := p
			twin.ID, twin.AccountID = boardwatch.NewID(), other.ID
			hasCode(t, boardwatch.CodeInvalidRequest, w.CreatePasskey(t.Context(), twin, account.MaxPasskeys))
			twin.CredentialID, twin.AccountID = account.NewToken(), a.ID
			hasCode(t, boardwatch.CodeInvalidRequest, w.CreatePasskey(t.Context(), twin, 1))
			hasCode(t, boardwatch.CodeNotFound, w.RenamePasskey(t.Context(), other.ID, p.ID, "Mine"))
			require.NoError(t, w.RenamePasskey(t.Context(), a.ID, p.ID, "Old phone"))
			p.Name = "Old phone"
			p.Uses, p.LastUsedAt, p.Credential = 5, p.CreatedAt.Add(time.Hour), []byte("next")
			require.NoError(t, w.UsePasskey(t.Context(), p, 1))
			list, err := w.Passkeys(t.Context(), a.ID)
			require.NoError(t, err)
			require.Equal(t, []account.Passkey{p}, list)
			require.NoError(t, w.SetPassword(t.Context(), a.ID, "hash"))
			require.NoError(t, w.DropPasskey(t.Context(), a.ID, p.ID, account.OtherWays{Password: true}))
			hasCode(t, boardwatch.CodeNotFound, w.UsePasskey(t.Context(), p, 5))
		},
		"of two uses with one count the second is refused": func(t *testing.T, w *world) {
			p := w.passkey(w.account(account.PlanPro), "Phone")
			next := p
			next.Uses = 2
			use := func() error { return w.UsePasskey(t.Context(), next, 1) }
			wonOne(t, boardwatch.CodeNotFound, use, use, use, use)
		},
	}
}

func usedTokenCases() cases {
	return cases{
		"a token is used once": func(t *testing.T, w *world) {
			token, another := account.HashSecret(account.NewToken()), account.HashSecret(account.NewToken())
			use := func() error { return w.UseOnce(t.Context(), token, w.now().Add(time.Minute)) }
			wonOne(t, boardwatch.CodeNotFound, use, use, use, use)
			require.NoError(t, w.UseOnce(t.Context(), another, w.now().Add(time.Minute)))
			hasCode(t, boardwatch.CodeNotFound, use())
		},
	}
}
