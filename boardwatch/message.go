package boardwatch

import (
	"encoding/json"
	"hash/fnv"
	"slices"
	"strings"
	"sync"
	"time"
)

// EventNews is the type of a message about roles. Webhooks cannot subscribe to it.
const EventNews EventType = "news"

// MaxToldRoles is how many lines about roles one message contains. The number of further roles is in More.
const MaxToldRoles = 20

// Message is a message to a channel: about changes of roles on a board, about a board that can no longer be read, or
// for testing the channel (EventPing). It is stored as JSON until it is sent, and only then formatted for its place.
type Message struct {
	ID        string     `json:"id"` // of the delivery: the same at every attempt
	Type      EventType  `json:"type"`
	CreatedAt string     `json:"createdAt"`
	BoardID   string     `json:"boardId"`
	Company   string     `json:"company"`
	Careers   string     `json:"careersUrl"`
	Searches  []string   `json:"searches,omitempty"` // names of the searches that found the roles; none: all changes are reported
	Roles     []ToldRole `json:"roles,omitempty"`
	More      int        `json:"more,omitempty"`
	Reason    string     `json:"reason,omitempty"` // why the board cannot be read
}

// ToldRole is a role in a message, with its change.
type ToldRole struct {
	ID         string     `json:"id"`
	Kind       ChangeKind `json:"kind"`
	Title      string     `json:"title"`
	Location   string     `json:"location"`
	Department string     `json:"department"`
	URL        string     `json:"url"`
	Facts      string     `json:"facts,omitempty"`   // on one line
	Changed    string     `json:"changed,omitempty"` // the old and new values of an updated or reopened role
	Others     int        `json:"others,omitempty"`  // further roles with the same title and text, in the places of Location
}

// Listener is a channel of an account that tracks the changed board, with its searches: their texts are folded, and
// they refer to this board by its present id.
type Listener struct {
	Channel

	Looks []Search
}

// News is the change of a role.
type News struct {
	Kind   ChangeKind
	Job    Job
	Fields []FieldChange
}

// news returns the changes that a check reports; what a first reading finds is not news.
func (c Change) news(first bool) []News {
	var all []News
	add := func(kind ChangeKind, jobs []Job) {
		for _, j := range jobs {
			all = append(all, News{Kind: kind, Job: j, Fields: c.Fields[j.ID]})
		}
	}
	if !first {
		add(ChangeFound, c.Found)
	}
	add(ChangeReopened, c.Reopened)
	add(ChangeUpdated, c.Updated)
	add(ChangeClosed, c.Closed)
	return all
}

// chosen returns the news for the listener, and the names of the searches that found them.
func (l Listener) chosen(
	sub Subscription, news []News, fold func(string) string, has func(j Job, words string) bool,
) (told []News, names []string) {
	if l.All {
		return news, nil
	}
	var looks []Search
	for _, q := range l.Looks {
		if q.Covers(sub) {
			looks = append(looks, q)
		}
	}
	if len(looks) == 0 {
		return nil, nil
	}
	for _, n := range news {
		found := false
		for _, q := range looks {
			if !q.Wants(n.Kind) || !q.Fits(n.Job, fold, has) {
				continue
			}
			found = true
			if !slices.Contains(names, q.Name) {
				names = append(names, q.Name)
			}
		}
		if found {
			told = append(told, n)
		}
	}
	return told, names
}

// Wants reports whether the search selects that kind of change.
func (s Search) Wants(kind ChangeKind) bool {
	return len(s.Kinds) == 0 || slices.Contains(s.Kinds, kind)
}

// post collects the messages to be sent; those with the same content share a payload.
type post struct {
	at         time.Time
	most       int // lines about roles in one message
	newID      func() string
	shared     map[string]string // payload ids by content
	payloads   []Payload
	deliveries []Delivery
}

func newPost(at time.Time, most int, newID func() string) *post {
	return &post{at: at, most: most, newID: newID, shared: make(map[string]string)}
}

// owe adds a message for a listener.
func (p *post) owe(l Listener, m Message) {
	m.CreatedAt = p.at.UTC().Format(TimeFormat)
	tail := m.tail()
	id, ok := p.shared[string(tail)]
	if !ok {
		id = p.newID()
		p.shared[string(tail)] = id
		p.payloads = append(p.payloads, Payload{ID: id, Type: m.Type, BoardID: m.BoardID, CreatedAt: p.at, Tail: tail})
	}
	p.deliveries = append(p.deliveries, Delivery{
		ID: p.newID(), WebhookID: l.ID, BoardID: m.BoardID, PayloadID: id, Type: m.Type, State: DeliveryPending,
		CreatedAt: p.at, NextAttemptAt: l.tellAt(p.at),
	})
}

// tell adds a message about roles, if there are any.
func (p *post) tell(l Listener, b Board, company string, news toldNews, searches []string) {
	if news.total == 0 {
		return
	}
	m := Message{Type: EventNews, BoardID: b.ID, Company: company, Careers: b.URL, Searches: searches, More: news.total}
	for i, n := range news.lines[:min(len(news.lines), p.most)] {
		m.Roles = append(m.Roles, ToldRole{
			ID: n.Job.ID, Kind: n.Kind, Title: n.Job.Title, Location: n.Job.Location, Department: n.Job.Department, URL: n.Job.URL,
			Facts:   n.Job.FactsLine(),
			Changed: InWords(n.Fields),
			Others:  len(news.others[i]),
		})
		m.More -= 1 + len(news.others[i])
	}
	p.owe(l, m)
}

// InWords describes changed fields for people.
func InWords(fields []FieldChange) string {
	words := make([]string, len(fields))
	for i, f := range fields {
		switch {
		case f.Field == FieldURL:
			words[i] = "new link"
		case f.Field == FieldText:
			words[i] = "the text of the posting"
		case f.From == "":
			words[i] = string(f.Field) + ": now " + f.To
		case f.To == "":
			words[i] = string(f.Field) + ": was " + f.From
		default:
			words[i] = string(f.Field) + ": " + f.From + " → " + f.To
		}
	}
	return strings.Join(words, "; ")
}

// tail returns the message in the form stored in a payload.
func (m Message) tail() []byte {
	m.ID = ""
	raw, err := json.Marshal(m)
	if err != nil {
		panic("boardwatch: a message that cannot be written: " + err.Error()) // plain structs and strings only
	}
	_, tail, _ := strings.Cut(string(raw), ",") // "id" is its first field
	return []byte(tail)
}

// PingMessage returns a test message, as the body of the delivery with that id.
func PingMessage(id string, at time.Time) []byte {
	return Payload{Tail: Message{Type: EventPing, CreatedAt: at.UTC().Format(TimeFormat)}.tail()}.Body(id)
}

// tellAt returns when a message of that moment is due: at once or, if messages are collected, at the end of the current
// period of the clock. Each channel has its own periods, so that an installation's mail is not all sent at once.
func (c Channel) tellAt(at time.Time) time.Time {
	if !c.Kind.Gathers() {
		return at
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(c.ID)) // never fails
	offset := time.Duration(h.Sum32()%uint32(GatherTime/time.Second)) * time.Second
	return Milli(at.Add(-offset).Truncate(GatherTime).Add(GatherTime + offset))
}

// owners returns the active subscriptions by account.
func owners(subs []Subscription) map[string]Subscription {
	byAccount := make(map[string]Subscription, len(subs))
	for _, s := range subs {
		byAccount[s.AccountID] = s
	}
	return byAccount
}

// remembering returns a function that computes each text only once.
func remembering(f func(string) string) func(string) string {
	known := make(map[string]string)
	return func(s string) string {
		out, ok := known[s]
		if !ok {
			out = f(s)
			known[s] = out
		}
		return out
	}
}

// messages returns the messages that a check causes for channels.
func (in CheckInput) messages(b Board, check Check, c Change, most int, newID func() string) ([]Payload, []Delivery) {
	if len(in.Listeners) == 0 {
		return nil, nil
	}
	subs, news, fold := owners(in.Subscribers), c.news(check.First), remembering(in.Fold)
	all := sync.OnceValue(func() toldNews { return newsOnce(news) })
	lost := !check.Health.Read() && in.Board.Status != BoardFailed
	p := newPost(check.At, most, newID)
	for _, l := range in.Listeners {
		sub, tracked := subs[l.AccountID]
		if !tracked {
			continue
		}
		company := sub.CompanyOf(b)
		if l.All {
			p.tell(l, b, company, all(), nil)
		} else {
			told, names := l.chosen(sub, news, fold, in.HasWords)
			p.tell(l, b, company, newsOnce(told), names)
		}
		if l.Failures && lost {
			p.owe(l, Message{Type: EventBoardFailed, BoardID: b.ID, Company: company, Careers: b.URL, Reason: check.Reason})
		}
	}
	return p.payloads, p.deliveries
}

// messages returns the messages that a merge causes for channels: about the roles that stayed behind, for accounts that
// tracked From, and about the survivor's roles, for accounts that watched From and are moved.
func (in MergeInput) messages(r MergeResult, newID func() string) ([]Payload, []Delivery) {
	if len(in.Listeners) == 0 {
		return nil, nil
	}
	subs, fold := owners(in.Subscribers), remembering(in.Fold)
	p := newPost(in.Now, MaxToldRoles, newID)
	for _, l := range in.Listeners {
		sub, tracked := subs[l.AccountID]
		if !tracked {
			continue
		}
		var news []News
		if in.SawFrom[l.AccountID] {
			news = append(news, Change{Closed: r.Closed}.news(false)...)
		}
		if !in.SawInto[l.AccountID] && sub.Arrived() {
			news = append(news, Change{Found: in.news()}.news(false)...)
		}
		told, names := l.chosen(sub, news, fold, in.HasWords)
		p.tell(l, in.Into, sub.CompanyOf(in.Into), newsOnce(told), names)
	}
	return p.payloads, p.deliveries
}
