package account

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// deliveriesShown is the number of a webhook's last deliveries that are shown.
const deliveriesShown = 20

// lookupTimeout is how long looking up the host of a new webhook may take. If the lookup takes longer, the name is
// accepted: every attempt checks the address that it dials.
const lookupTimeout = 3 * time.Second

// WebhookStore is what Webhooks needs from a store.
type WebhookStore interface {
	// CreateWebhook saves a webhook. If the account already has limit of them, it is an invalid_request error.
	CreateWebhook(ctx context.Context, w boardwatch.Webhook, limit int) error
	// ChangeWebhook saves the name, the address, the events and the secret of one of the account's webhooks; otherwise
	// it is a not_found error. A sender under way loses its claim, so that pending deliveries go to the new address.
	ChangeWebhook(ctx context.Context, w boardwatch.Webhook) error
	// Webhooks lists an account's webhooks with their secrets, oldest first, without its channels.
	Webhooks(ctx context.Context, accountID string) ([]boardwatch.Webhook, error)
	// DeleteWebhook removes one of the account's webhooks and its pending deliveries; otherwise a not_found error.
	DeleteWebhook(ctx context.Context, accountID, id string) error
	// EnableWebhook switches one of the account's webhooks on again and forgets its failures; otherwise it is a not_found
	// error. If failures switch it off once more, its owner is told again.
	EnableWebhook(ctx context.Context, accountID, id string) error
	// StoredDelivery returns a delivery with its body, and its webhook with the secret; otherwise a not_found error.
	StoredDelivery(ctx context.Context, id string) (boardwatch.Delivery, boardwatch.Webhook, error)
	// DeliveriesOf lists a webhook's last deliveries, newest first, without bodies.
	DeliveriesOf(ctx context.Context, webhookID string, limit int) ([]boardwatch.Delivery, error)
}

// WebhookOptions are the settings of Webhooks. The zero value works.
type WebhookOptions struct {
	Options

	Dev bool // development: http://localhost is allowed too
	// Lookup finds the addresses of a host, so that a name that resolves to a private network is refused at once. Nil
	// means that only the text of a name is checked, as behind a proxy that looks names up itself.
	Lookup func(ctx context.Context, host string) ([]netip.Addr, error)
}

// Webhooks manages the webhooks of accounts. It may be used concurrently.
type Webhooks struct {
	store  WebhookStore
	plans  Plans
	now    func() time.Time
	dev    bool
	lookup func(ctx context.Context, host string) ([]netip.Addr, error)
}

// NewWebhooks returns a Webhooks.
func NewWebhooks(store WebhookStore, o WebhookOptions) *Webhooks {
	base := o.withDefaults()
	return &Webhooks{store: store, plans: base.Plans, now: base.Now, dev: o.Dev, lookup: o.Lookup}
}

// WebhookForm holds what the owner of a webhook decides about it.
type WebhookForm struct {
	Name   string // may be empty
	URL    string
	Events []string // by name
}

// Create registers a webhook and returns it with its secret, which is shown now and never again. It is a plan_required
// error if the account's plan has no webhooks. It is an invalid_request error if a field is wrong, if the account
// already has boardwatch.MaxWebhooks, or if it already has one with this address.
func (w *Webhooks) Create(ctx context.Context, a Account, f WebhookForm) (boardwatch.Webhook, error) {
	if !w.plans[a.Plan].Webhooks {
		return boardwatch.Webhook{}, &boardwatch.Error{
			Code:    boardwatch.CodePlanRequired,
			Message: "the plan " + string(a.Plan) + " has no webhooks",
		}
	}
	hook := boardwatch.Webhook{
		ID: boardwatch.NewID(), AccountID: a.ID, Secret: NewWebhookSecret(), CreatedAt: boardwatch.Milli(w.now()),
	}
	if err := w.fill(ctx, &hook, f); err != nil {
		return boardwatch.Webhook{}, err
	}
	if err := w.store.CreateWebhook(ctx, hook, boardwatch.MaxWebhooks); err != nil {
		return boardwatch.Webhook{}, fmt.Errorf("create webhook: %w", err)
	}
	return hook, nil
}

// Change applies the form to one of the account's webhooks. If the host changes, the webhook gets a new secret, because
// the old host knows the old one; the returned webhook contains it, and it is never shown again. Otherwise the secret
// stays and is not returned. A webhook that is not the account's is a not_found error; see Create for the others.
func (w *Webhooks) Change(ctx context.Context, a Account, id string, f WebhookForm) (boardwatch.Webhook, error) {
	hook, err := w.Find(ctx, a, id)
	if err != nil {
		return boardwatch.Webhook{}, err
	}
	before := hook
	if err := w.fill(ctx, &hook, f); err != nil {
		return boardwatch.Webhook{}, err
	}
	moved := !sameHost(before.URL, hook.URL)
	if moved {
		hook.Secret = NewWebhookSecret()
	}
	if err := w.store.ChangeWebhook(ctx, hook); err != nil {
		return boardwatch.Webhook{}, fmt.Errorf("change webhook: %w", err)
	}
	if !moved {
		hook.Secret = ""
	}
	return hook, nil
}

// NewSecret gives one of the account's webhooks a new signing secret, which all attempts are signed with from then on. The
// returned webhook contains it, and it is never shown again. One that is not the account's is a not_found error.
func (w *Webhooks) NewSecret(ctx context.Context, a Account, id string) (boardwatch.Webhook, error) {
	hook, err := w.Find(ctx, a, id)
	if err != nil {
		return boardwatch.Webhook{}, err
	}
	hook.Secret = NewWebhookSecret()
	if err := w.store.ChangeWebhook(ctx, hook); err != nil {
		return boardwatch.Webhook{}, fmt.Errorf("change secret: %w", err)
	}
	return hook, nil
}

// SwitchOn switches one of the account's webhooks on again. What happened while it was off is not sent later. One that is
// not the account's is a not_found error.
func (w *Webhooks) SwitchOn(ctx context.Context, a Account, id string) error {
	return boardwatch.Wrap("switch webhook on", w.store.EnableWebhook(ctx, a.ID, id))
}

// sameHost reports whether two addresses lead to the same host and port, in the same way.
func sameHost(a, b string) bool {
	first, err := url.Parse(a)
	if err != nil {
		return false
	}
	second, err := url.Parse(b)
	return err == nil && first.Scheme == second.Scheme && strings.EqualFold(first.Host, second.Host)
}

// fill applies the form, or returns everything that is wrong with it.
func (w *Webhooks) fill(ctx context.Context, hook *boardwatch.Webhook, f WebhookForm) error {
	chosen, fault := chooseEvents(f.Events)
	var wrong []boardwatch.FieldError
	if err := w.checkTarget(ctx, f.URL); err != nil {
		wrong = append(wrong, fieldErrors(err)...)
	} else if taken, err := w.taken(ctx, *hook, f.URL); err != nil {
		return err
	} else if taken {
		wrong = append(wrong, boardwatch.FieldError{Field: "url", Message: "is that of another webhook of yours: change that one, or delete it first"})
	}
	if fault != "" {
		wrong = append(wrong, boardwatch.FieldError{Field: "events", Message: fault})
	}
	name := strings.TrimSpace(f.Name)
	if fault := nameFault(name); name != "" && fault != "" {
		wrong = append(wrong, boardwatch.FieldError{Field: "name", Message: fault})
	}
	if err := boardwatch.InvalidFields(wrong); err != nil {
		return err
	}
	hook.Name, hook.URL, hook.Events = name, f.URL, chosen
	return nil
}

// taken reports whether another webhook of the account has the address, so that everything would be sent there twice.
func (w *Webhooks) taken(ctx context.Context, hook boardwatch.Webhook, address string) (bool, error) {
	others, err := w.store.Webhooks(ctx, hook.AccountID)
	if err != nil {
		return false, fmt.Errorf("list webhooks: %w", err)
	}
	return slices.ContainsFunc(others, func(h boardwatch.Webhook) bool { return h.ID != hook.ID && h.URL == address }), nil
}

// List returns the account's webhooks, whatever its plan, oldest first and without their secrets.
func (w *Webhooks) List(ctx context.Context, a Account) ([]boardwatch.Webhook, error) {
	hooks, err := w.store.Webhooks(ctx, a.ID)
	if err != nil {
		return nil, fmt.Errorf("list webhooks: %w", err)
	}
	for i := range hooks {
		hooks[i].Secret = ""
	}
	return hooks, nil
}

// Find returns one of the account's webhooks, with its secret. One that is not the account's is a not_found error.
func (w *Webhooks) Find(ctx context.Context, a Account, id string) (boardwatch.Webhook, error) {
	hooks, err := w.store.Webhooks(ctx, a.ID)
	if err != nil {
		return boardwatch.Webhook{}, fmt.Errorf("find webhook: %w", err)
	}
	i := slices.IndexFunc(hooks, func(h boardwatch.Webhook) bool { return h.ID == id })
	if i < 0 {
		return boardwatch.Webhook{}, boardwatch.NotFound("webhook")
	}
	return hooks[i], nil
}

// Delete removes a webhook permanently, with its pending deliveries. One that is not the account's is a not_found
// error.
func (w *Webhooks) Delete(ctx context.Context, a Account, id string) error {
	if !boardwatch.ValidID(id) {
		return boardwatch.NotFound("webhook")
	}
	return boardwatch.Wrap("delete webhook", w.store.DeleteWebhook(ctx, a.ID, id))
}

// Deliveries lists the last deliveriesShown deliveries to one of the account's webhooks, newest first. One that is not the
// account's is a not_found error.
func (w *Webhooks) Deliveries(ctx context.Context, a Account, id string) ([]boardwatch.Delivery, error) {
	if _, err := w.Find(ctx, a, id); err != nil {
		return nil, err
	}
	deliveries, err := w.store.DeliveriesOf(ctx, id, deliveriesShown)
	return deliveries, boardwatch.Wrap("list deliveries", err)
}

// Delivery returns one delivery to one of the account's webhooks, with its body; otherwise a not_found error.
func (w *Webhooks) Delivery(ctx context.Context, a Account, webhookID, id string) (boardwatch.Delivery, boardwatch.Webhook, error) {
	d, hook, err := w.store.StoredDelivery(ctx, id)
	if err != nil {
		return boardwatch.Delivery{}, boardwatch.Webhook{}, fmt.Errorf("find delivery: %w", err)
	}
	if hook.AccountID != a.ID || hook.ID != webhookID || hook.Channel != "" {
		return boardwatch.Delivery{}, boardwatch.Webhook{}, boardwatch.NotFound("delivery")
	}
	hook.Secret = ""
	return d, hook, nil
}

// checkTarget says why an address cannot be a receiver. A name whose addresses are not all public is refused; a name
// without addresses is accepted, because it may get one later.
func (w *Webhooks) checkTarget(ctx context.Context, address string) error {
	if err := boardwatch.CheckWebhookURL(address, w.dev); err != nil {
		return err
	}
	u, err := url.Parse(address)
	if err != nil || w.lookup == nil {
		return nil //nolint:nilerr // an address that was checked can be parsed
	}
	return publicName(ctx, w.lookup, "url", u.Hostname(), w.dev)
}

// publicName returns the error of a field whose name resolves to addresses that are not all public. A name without
// addresses is accepted, because it may get one later.
func publicName(
	ctx context.Context, lookup func(context.Context, string) ([]netip.Addr, error), field, host string, dev bool,
) error {
	if dev && boardwatch.IsLocalhost(host) {
		return nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, lookupTimeout, errors.New("no answer in time"))
	defer cancel()
	found, err := lookup(ctx, host)
	if err != nil {
		return nil // every attempt looks it up again and checks the address it dials
	}
	for _, a := range found {
		if local := dev && a.Unmap().IsLoopback(); !local && !boardwatch.PublicAddr(a) {
			return boardwatch.Invalid(field, "must name a public host; this name resolves to an address that is not public")
		}
	}
	return nil
}

// chooseEvents returns the named events, each once, and what is wrong with the names.
func chooseEvents(names []string) (chosen []boardwatch.EventType, fault string) {
	known := boardwatch.EventTypes()
	for _, name := range names {
		e := boardwatch.EventType(name)
		if !slices.Contains(known, e) {
			return nil, "must be one or more of " + joinEvents(known)
		}
		if !slices.Contains(chosen, e) {
			chosen = append(chosen, e)
		}
	}
	if len(chosen) == 0 {
		return nil, "must name at least one of " + joinEvents(known)
	}
	return chosen, ""
}

func joinEvents(events []boardwatch.EventType) string {
	names := make([]string, len(events))
	for i, e := range events {
		names[i] = string(e)
	}
	return strings.Join(names, ", ")
}

// fieldErrors returns the fields that an invalid_request error names.
func fieldErrors(err error) []boardwatch.FieldError {
	if e, ok := errors.AsType[*boardwatch.Error](err); ok {
		if fields, ok := e.Details.([]boardwatch.FieldError); ok {
			return fields
		}
	}
	return []boardwatch.FieldError{{Field: "url", Message: err.Error()}}
}

// NewWebhookSecret creates a signing secret: "whsec_" and 43 base64url characters, 256 random bits.
func NewWebhookSecret() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails: it aborts the program instead
	return "whsec_" + base64.RawURLEncoding.EncodeToString(b[:])
}
