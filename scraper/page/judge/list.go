package judge

import (
	_ "embed" // for the weights
	"encoding/json"
	"math"
	"sync"
)

// Sign is one thing that may tell a list of roles from another list.
type Sign int

// The signs of a list. Those that are shares say how many of its entries are so.
const (
	Mean        Sign = iota // score of its texts
	Median                  // of them
	Least                   // of them
	AboveZero               // share: the text is rather a title
	AboveTwo                // share: and clearly
	Known                   // share: the words of a language name it a role
	Place                   // share: reads like a place
	Gender                  // share: marks of gender, "(m/f/d)"
	Plural                  // share: names many people
	Department              // share: the name of a department
	OtherMatter             // share: benefits, news and the like
	Numbered                // share: begins with a number
	Sentence                // share: ends like a sentence
	Words                   // how many on average
	Length                  // of its texts, the logarithm
	Size                    // how many entries, the logarithm
	Single                  // there is only one
	Few                     // there are less than four
	Distinct                // share of texts that differ
	Linked                  // share: the text is a link
	OwnLink                 // share: has an address that no other entry has
	JobLink                 // share: the address reads like a role's
	OtherLink               // share: the address reads like something else's
	Heading                 // share: is a heading
	HighHeading             // share: of the first two levels
	Inline                  // share: is a bold word, a span and the like
	Bullet                  // share: is an entry of a list, without a link
	Cell                    // share: stands in a table
	Button                  // share: opens something
	UnderOpen               // share: under a heading of open roles
	UnderOther              // share: under a heading of other matter
	UnderPlain              // share: under a heading that says neither
	UnderRole               // share: under a heading that names a role
	FormPart                // share: in a form
	Terms                   // share: place or kind of work beside it
	Picture                 // share: a picture beside it
	Applying                // share: "apply" or "details" beside it
	SaysMore                // share: the card says more than the title
	CardLength              // how much, the logarithm
	AboutJobs               // how much the page is about jobs
	Classes                 // what the names of classes say
	Column                  // what the column's heading says
	Start                   // where on the page it begins, 0 to 1
	Person                  // share: a name, and what that person is
	Quoted                  // share: somebody is quoted beside it
	Mail                    // share: an address for letters beside it
	Contract                // share: a kind of work
	Colon                   // share: something, a colon, and more
	Rivals                  // how much better the texts of the page's best other list are
	Heads                   // score of the heading above it, as a title
	Owner                   // share: holds the name of the site
	Denied                  // the page says that there are no open roles
	Rules                   // what the rules make of it
	Accepted                // the rules take it

	SignCount int = iota
)

// Signs are the signs of one list.
type Signs [SignCount]float64

// Model is two opinions about a list, which count the same: a weight for each sign, and trees that see signs together. The scores of its
// texts are those of a table of texts.
type Model struct {
	Texts  string `json:"-"` // a byte for each bucket; "" for the table that the program carries
	Line   Line   `json:"line"`
	Forest Forest `json:"forest"`
}

// Text is what the model makes of a text; a model that is nil is the one that the program carries.
func (m *Model) Text(text string) float64 {
	if m == nil || m.Texts == "" {
		return Text(text)
	}
	return TextBy(m.Texts, text)
}

// Score is what the model makes of the signs: the logarithm of the odds.
func (m *Model) Score(s *Signs) float64 { return (m.Line.Score(s) + m.Forest.Score(s)) / 2 }

// Line holds the weights of the signs. A sign counts by its distance from the mean, in standard deviations.
type Line struct {
	Bias    float64   `json:"bias"`
	Mean    []float64 `json:"mean"`
	Scale   []float64 `json:"scale"`
	Weights []float64 `json:"weights"`
}

//go:embed lists.json
var listsJSON []byte

// Shipped is the model that the program carries, read when a page is first judged: many commands judge none. It must not be
// changed.
var Shipped = sync.OnceValue(func() *Model {
	var m Model
	if err := json.Unmarshal(listsJSON, &m); err != nil {
		panic("judge: lists.json: " + err.Error()) // the program was built with a broken table
	}
	return &m
})

// Score is what the weights make of the signs.
func (m *Line) Score(s *Signs) float64 {
	if len(m.Weights) != SignCount {
		return 0 // while it is trained
	}
	sum := m.Bias
	for i, w := range m.Weights {
		sum += w * max(-4, min(4, (s[i]-m.Mean[i])/m.Scale[i]))
	}
	return sum
}

// Probability is the probability that belongs to the logarithm of odds.
func Probability(odds float64) float64 { return 1 / (1 + math.Exp(-odds)) }
