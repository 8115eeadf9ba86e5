package judge

// Forest is a number of small trees whose values add up to the logarithm of the odds.
type Forest struct {
	Trees []Tree `json:"trees"`
}

// Tree is a decision tree; its first node is the root.
type Tree []Node

// Node asks whether a sign is below a limit, and goes on at the node Low or High. A leaf has the sign -1 and a value.
type Node struct {
	Sign  int     `json:"s"`
	Limit float64 `json:"l,omitempty"`
	Low   int     `json:"a,omitempty"`
	High  int     `json:"b,omitempty"`
	Value float64 `json:"v,omitempty"`
}

// Score is the value that the tree gives to the signs.
func (t Tree) Score(s *Signs) float64 {
	if len(t) == 0 {
		return 0
	}
	n := &t[0]
	for n.Sign >= 0 {
		if s[n.Sign] < n.Limit {
			n = &t[n.Low]
		} else {
			n = &t[n.High]
		}
	}
	return n.Value
}

// Score is what all trees make of the signs.
func (f *Forest) Score(s *Signs) float64 {
	sum := 0.0
	for _, t := range f.Trees {
		sum += t.Score(s)
	}
	return sum
}
