package web

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
	"github.com/boardwatch/boardwatch/boardwatch/account"
	"github.com/boardwatch/boardwatch/boardwatch/track"
)

// operatorPage shows the state of the installation.
type operatorPage struct {
	Summary     string
	Browser     string
	SignIn      string // how many accounts can sign in each way
	Numbers     []fact
	Modes       []choice // who may create an account
	Invites     bool     // whether people can be invited
	InviteText  string
	Invitation  string // its address, shown only once
	Invitations []account.Link
	Plans       []choice
	Query       string
	Accounts    []accountRow
	Pager       pager
	Verdicts    []verdictRow
	Failing     []failingRow
	Returned    []returnedRow
	Misreads    []misreadRow
}

type accountRow struct {
	ID, Email       string
	Verified, Admin bool
	Own             bool // the viewer's
	Plans           []choice
	CreatedAt       time.Time
	Boards          int
	LastAt          time.Time
}

type verdictRow struct {
	System string
	Chip   chip
	Boards int
}

type failingRow struct {
	ID, Name, URL, Source, Reason string
	Since                         time.Time
	Trackers                      int
}

// returnedRow is a board on which closed roles were there again.
type returnedRow struct {
	Name, URL, Source string
	Roles             int
	At                time.Time
}

func (a *App) showOperator(w http.ResponseWriter, r *http.Request, c *caller) error {
	invitation := ""
	if s := a.revealed(w, r, r.URL.Path); s != nil {
		invitation = s.Text
	}
	figures, err := a.s.Operator.Figures(r.Context(), c.Account)
	if err != nil {
		return err
	}
	returned, err := a.s.Operator.Returned(r.Context(), c.Account)
	if err != nil {
		return err
	}
	invitations, err := a.s.Identities.Invitations(r.Context(), c.Account)
	if err != nil {
		return err
	}
	reports, err := a.s.Operator.Misreads(r.Context(), c.Account)
	if err != nil {
		return err
	}
	p := operatorPage{
		Misreads: misreadRows(reports),
		Summary:  "boardwatch " + a.o.Version, Invitation: invitation, Invitations: invitations,
		Plans: planChoices(account.PlanFree), Numbers: operatorNumbers(figures),
		SignIn: a.signInNumbers(figures),
	}
	p.Browser = "not used in this process"
	if a.o.Browser != nil {
		p.Browser = a.o.Browser()
	}
	p.Invites, p.InviteText = true, "A person who is invited chooses a password and has an account at once."
	if !a.s.Identities.AllowsPassword(account.Account{}) {
		p.InviteText = "A person who is invited signs in with " + a.providerName() + " and has an account at once."
	}
	mode, err := a.s.Identities.Mode(r.Context())
	if err != nil {
		return err
	}
	chosen, err := a.s.Identities.ChosenMode(r.Context())
	if err != nil {
		return err
	}
	p.Modes = modeChoices(chosen, a.s.Identities.DefaultMode())
	if mode == account.SignUpClosed {
		p.Invites, p.InviteText = false, "Sign-up is closed, so nobody can be invited. Choose who may create an account first."
	}
	if err := a.listAccounts(r, c, &p); err != nil {
		return err
	}
	for _, v := range figures.Verdicts {
		p.Verdicts = append(p.Verdicts, verdictRow{cmp.Or(systemTitle(v.System), "not understood yet"), verdictChip(v.Health), v.Boards})
	}
	for _, b := range returned {
		p.Returned = append(p.Returned, returnedRow{
			nameOf(track.TrackedBoard{Board: b.Board}), webAddress(b.Board.URL), b.Board.Source, b.Roles, b.LastAt,
		})
	}
	for _, f := range figures.Failing {
		if f.Trackers == 0 {
			continue // nobody misses it
		}
		p.Failing = append(p.Failing, failingRow{
			f.Board.ID, nameOf(track.TrackedBoard{Board: f.Board}), webAddress(f.Board.URL), f.Board.Source,
			strings.TrimSpace(sentence(f.Board.State.Reason) + " " + f.Board.State.Cause.Advice()),
			f.Since, f.Trackers,
		})
	}
	return a.show(w, r, c, http.StatusOK, "admin", view{Title: "Operator’s page", Section: "Operator", Page: p})
}

// accountsPerPage is how many accounts are listed at once.
const accountsPerPage = 50

// listAccounts lists the accounts that the page is asked for.
func (a *App) listAccounts(r *http.Request, c *caller, p *operatorPage) error {
	accounts, err := a.s.Manager.List(r.Context())
	if err != nil {
		return err
	}
	q := r.URL.Query()
	p.Query = strings.TrimSpace(q.Get("q"))
	word := strings.ToLower(p.Query)
	accounts = slices.DeleteFunc(accounts, func(o account.Account) bool {
		return !strings.Contains(strings.ToLower(o.Email+" "+string(o.Plan)), word)
	})
	accounts, p.Pager = cut(accounts, q, accountsPerPage, "/admin")
	p.Pager.Undated = true
	ids := make([]string, len(accounts))
	for i, owner := range accounts {
		ids[i] = owner.ID
	}
	usage, err := a.s.Operator.Usage(r.Context(), c.Account, ids)
	if err != nil {
		return err
	}
	for _, owner := range accounts {
		used := usage[owner.ID]
		p.Accounts = append(p.Accounts, accountRow{
			owner.ID, owner.Email, owner.Verified, owner.Admin, owner.ID == c.Account.ID, planChoices(owner.Plan), owner.CreatedAt,
			used.Boards, used.LastAt,
		})
	}
	return nil
}

// Finding is something that was examined, and whether it is in order.
type Finding struct {
	Check  string
	Kind   string // ok, warn or bad
	Detail string
}

// findingRow is a finding on the page.
type findingRow struct {
	Check, Detail string
	Chip          chip
}

// showHealth examines the installation, which takes a moment.
func (a *App) showHealth(w http.ResponseWriter, r *http.Request, c *caller) error {
	var rows []findingRow
	if a.o.Health != nil {
		words := map[string]string{"ok": "fine", "warn": "look at it", "bad": "broken"}
		for _, f := range a.o.Health(r.Context()) {
			rows = append(rows, findingRow{f.Check, f.Detail, chip{f.Kind, words[f.Kind]}})
		}
	}
	return a.show(w, r, c, http.StatusOK, "health", view{Title: "Health", Section: "Operator", Page: rows})
}

// checkAnyBoard queues a check of a board, whoever tracks it.
func (a *App) checkAnyBoard(w http.ResponseWriter, r *http.Request, c *caller) error {
	b, err := a.s.Operator.Board(r.Context(), c.Account, r.PathValue("id"))
	if err != nil {
		return err
	}
	f := flash{"good", nameOf(track.TrackedBoard{Board: b}) + " is being checked."}
	refused, err := a.s.Tracker.RequestCheck(r.Context(), "", b.ID)
	if err != nil {
		return err
	}
	if refused != "" {
		f = flash{"warn", spokenReason(refused, a.o.Now(), c.Zone)}
	}
	a.back(w, r, "/admin#failing", f)
	return nil
}

func operatorNumbers(f account.Figures) []fact {
	total := 0
	for _, n := range f.Accounts {
		total += n
	}
	waiting := "none"
	if f.Due > 0 {
		waiting = span(f.OldestDue)
	}
	return []fact{
		{noun(total, "account", "accounts"), number(total)},
		{"signed in", number(f.Sessions)},
		{"boards due", number(f.Due)},
		{"longest wait", waiting},
		{"deliveries due", number(f.Waiting)},
		{"deliveries dead", number(f.Deliveries[boardwatch.DeliveryDead])},
		{fmt.Sprintf("webhooks on, %s off", number(f.WebhooksOff)), number(f.WebhooksOn)},
	}
}

// signInNumbers says how many accounts can sign in each way. An account may have several ways.
func (a *App) signInNumbers(f account.Figures) string {
	var parts []string
	for _, way := range []account.Way{account.WayPassword, account.WayProvider, account.WayPasskey} {
		offered := way == account.WayPassword || way == account.WayProvider && a.s.Provider != nil ||
			way == account.WayPasskey && a.s.Passkeys != nil
		if n := f.Ways[way]; offered || n > 0 {
			parts = append(parts, number(n)+" "+a.wayName(way))
		}
	}
	if !a.s.Identities.AllowsPassword(account.Account{}) {
		parts[0] += " (only operators may use it)"
	}
	return strings.Join(parts, ", ")
}

func planChoices(chosen account.PlanName) []choice {
	var out []choice
	for _, name := range account.PlanNames() {
		out = append(out, choice{string(name), capital(string(name)), name == chosen})
	}
	return out
}

func (a *App) invite(w http.ResponseWriter, r *http.Request, c *caller) error {
	in, err := a.s.Identities.Invite(r.Context(), c.Account, r.PostFormValue("email"), account.PlanName(r.PostFormValue("plan")))
	if err != nil {
		if _, told := refusal(w, err); !told {
			return err
		}
		a.back(w, r, "/admin", flash{"bad", sentences(err)[0]})
		return nil
	}
	if in.Email != "" && a.o.Mail {
		a.putFlash(w, flash{"good", "The invitation is on its way to " + in.Email + "."}, link{})
	}
	a.reveal(w, r, "/admin", secretShown{in.Email, in.URL})
	return nil
}

func (a *App) withdraw(w http.ResponseWriter, r *http.Request, c *caller) error {
	if err := a.s.Identities.Withdraw(r.Context(), c.Account, r.PathValue("id")); err != nil {
		return err
	}
	a.back(w, r, "/admin", flash{"good", "The invitation is withdrawn."})
	return nil
}

// modeChoices are the choices of who may create an account.
func modeChoices(chosen, configured account.SignUpMode) []choice {
	return []choice{
		{"", fmt.Sprintf("The configured default (%s)", configured), chosen == ""},
		{string(account.SignUpClosed), "Nobody", chosen == account.SignUpClosed},
		{string(account.SignUpInvite), "Invited people", chosen == account.SignUpInvite},
		{string(account.SignUpOpen), "Anybody", chosen == account.SignUpOpen},
	}
}

func (a *App) setSignUp(w http.ResponseWriter, r *http.Request, c *caller) error {
	if err := a.s.Identities.SetMode(r.Context(), c.Account, account.SignUpMode(r.PostFormValue("mode"))); err != nil {
		return err
	}
	a.back(w, r, "/admin", flash{"good", "Your choice of who may create an account is saved."})
	return nil
}

func (a *App) setPlan(w http.ResponseWriter, r *http.Request, _ *caller) error {
	owner, err := a.s.Manager.ByID(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	changed, err := a.s.Manager.SetPlan(r.Context(), owner.Email, account.PlanName(r.PostFormValue("plan")))
	if err != nil {
		return err
	}
	a.back(w, r, "/admin", flash{"good", changed.Email + " is now on the plan " + capital(string(changed.Plan)) + "."})
	return nil
}

// confirmAccount confirms the address of a person who gets no mail.
func (a *App) confirmAccount(w http.ResponseWriter, r *http.Request, _ *caller) error {
	owner, err := a.s.Manager.ByID(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	if _, err := a.s.Manager.SetVerified(r.Context(), owner.Email, true); err != nil {
		return err
	}
	a.back(w, r, "/admin", flash{"good", "The address " + owner.Email + " is confirmed."})
	return nil
}

func (a *App) askAccountDeletion(w http.ResponseWriter, r *http.Request, c *caller) error {
	owner, err := a.s.Manager.ByID(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	return a.askDeletion(w, r, c, confirmPage{
		Heading: "Delete the account of " + owner.Email + "?",
		Lead:    "Its list, keys, webhooks and connected apps are deleted at once. There is no way back.",
		Button:  "Delete the account", Cancel: "/admin",
	})
}

// deleteAccountOf deletes somebody else's account. One's own is deleted in the settings, which ask for the password.
func (a *App) deleteAccountOf(w http.ResponseWriter, r *http.Request, c *caller) error {
	owner, err := a.s.Manager.ByID(r.Context(), r.PathValue("id"))
	switch {
	case err != nil:
		return err
	case owner.ID == c.Account.ID:
		return boardwatch.Invalid("account", "is your own: delete it in the settings")
	}
	if _, err := a.s.Manager.Delete(r.Context(), owner.Email); err != nil {
		return err
	}
	a.back(w, r, "/admin", flash{"good", "The account of " + owner.Email + " is deleted."})
	return nil
}
