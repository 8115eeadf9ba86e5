package web

import (
	"encoding/json"
	"net/http"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// longestAnswer is how long the answer of a passkey may be, in bytes.
const longestAnswer = 64 << 10

// passkeyAnswer is what the script sends after a device has answered.
type passkeyAnswer struct {
	Token      string          `json:"token"`
	Credential json.RawMessage `json:"credential"`
	Next       string          `json:"next"`
}

// passkeyDone says where the script goes next.
type passkeyDone struct {
	Next string `json:"next"`
}

// passkeyRoutes adds the script's routes. Signing in is open to everybody.
func (a *App) passkeyRoutes(mux *http.ServeMux) {
	if a.s.Passkeys == nil {
		return
	}
	mux.Handle("POST /api/passkeys/signin/begin", a.unsigned(a.beginPasskeySignIn))
	mux.Handle("POST /api/passkeys/signin/finish", a.unsigned(a.finishPasskeySignIn))
	mux.Handle("POST /api/passkeys/begin", a.scripted(a.beginPasskey))
	mux.Handle("POST /api/passkeys/finish", a.scripted(a.finishPasskey))
}

// unsigned is like scripted, for people who have not signed in.
func (a *App) unsigned(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := a.caller(r)
		if err == nil {
			err = h(w, r, c)
		}
		if err != nil {
			a.failJSON(w, r, err)
		}
	})
}

func (a *App) beginPasskeySignIn(w http.ResponseWriter, r *http.Request, _ *caller) error {
	if err := a.departures.Take(r.RemoteAddr); err != nil {
		return err
	}
	challenge, err := a.s.Passkeys.BeginSignIn()
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, challenge)
}

func (a *App) finishPasskeySignIn(w http.ResponseWriter, r *http.Request, c *caller) error {
	answer, err := readAnswer(w, r)
	if err != nil {
		return err
	}
	in, err := a.s.Passkeys.FinishSignIn(r.Context(), answer.Token, answer.Credential, c.Account, a.visitor(r))
	if err != nil {
		return err
	}
	a.enter(w, r, c, in)
	return writeJSON(w, http.StatusOK, passkeyDone{localPath(answer.Next, "/boards")})
}

func (a *App) beginPasskey(w http.ResponseWriter, r *http.Request, c *caller) error {
	challenge, err := a.s.Passkeys.BeginRegistration(r.Context(), c.Account, r.PostFormValue("name"), a.proof(r, c), a.visitor(r))
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, challenge)
}

func (a *App) finishPasskey(w http.ResponseWriter, r *http.Request, c *caller) error {
	answer, err := readAnswer(w, r)
	if err != nil {
		return err
	}
	if err := a.s.Passkeys.FinishRegistration(r.Context(), c.Account, answer.Token, answer.Credential); err != nil {
		return err
	}
	a.putFlash(w, flash{"good", "The passkey is added. You can sign in with it."}, link{})
	return writeJSON(w, http.StatusOK, passkeyDone{signInSection})
}

func readAnswer(w http.ResponseWriter, r *http.Request) (passkeyAnswer, error) {
	var answer passkeyAnswer
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, longestAnswer)).Decode(&answer); err != nil {
		return answer, boardwatch.Invalid("passkey", "the answer of the device cannot be read")
	}
	return answer, nil
}

func (a *App) renamePasskey(w http.ResponseWriter, r *http.Request, c *caller) error {
	if a.s.Passkeys == nil {
		return a.nothing(w, r, c)
	}
	if err := a.s.Passkeys.Rename(r.Context(), c.Account, r.PathValue("id"), r.PostFormValue("name")); err != nil {
		return a.refuse(w, r, c, "signin", err)
	}
	a.back(w, r, signInSection, flash{"good", "The passkey is renamed."})
	return nil
}

func (a *App) deletePasskey(w http.ResponseWriter, r *http.Request, c *caller) error {
	if a.s.Passkeys == nil {
		return a.nothing(w, r, c)
	}
	err := a.s.Passkeys.Delete(r.Context(), c.Account, r.PathValue("id"), a.proof(r, c), a.visitor(r))
	if err != nil {
		return a.refuse(w, r, c, "signin", err)
	}
	a.back(w, r, signInSection, flash{"good", "The passkey is deleted."})
	return nil
}
