package storagetest

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// WholeTables are the tables that a plan goes through from one end to the other, be it in the order of an index: a plan of
// SQLite as it explains it, or one of PostgreSQL as JSON. Reading the first rows of an index is not that, nor is reading all of
// one that holds few, nor going through what another part of the query has made.
func WholeTables(plan string) ([]string, error) {
	if !strings.HasPrefix(plan, "[") {
		return scannedTables(plan), nil
	}
	nodes, err := parsePlan(plan)
	if err != nil {
		return nil, err
	}
	var tables []string
	for _, n := range nodes {
		tables = append(tables, n.wholeTables(false)...)
	}
	return tables, nil
}

// parsePlan reads a plan of PostgreSQL.
func parsePlan(plan string) ([]planNode, error) {
	var list []struct {
		Plan planNode `json:"Plan"` //nolint:tagliatelle // PostgreSQL's names
	}
	if err := json.Unmarshal([]byte(plan), &list); err != nil {
		return nil, err
	}
	nodes := make([]planNode, len(list))
	for i, p := range list {
		nodes[i] = p.Plan
	}
	return nodes, nil
}

// planNode is a part of a plan of PostgreSQL.
//
//nolint:tagliatelle // PostgreSQL's names
type planNode struct {
	Type      string     `json:"Node Type"`
	Table     string     `json:"Relation Name"`
	Index     string     `json:"Index Name"`
	Condition string     `json:"Index Cond"`
	Filter    string     `json:"Filter"`
	Plans     []planNode `json:"Plans"`
}

// wholeTables is told whether no more rows are read than a limit allows.
func (n planNode) wholeTables(limited bool) (tables []string) {
	switch n.Type {
	case "Seq Scan":
		tables = append(tables, n.Table)
	case "Index Scan", "Index Only Scan":
		if n.Condition == "" && (!limited || n.Filter != "") && !holdsFew(n.Index) {
			tables = append(tables, n.Table)
		}
	case "Bitmap Index Scan":
		if n.Condition == "" && !holdsFew(n.Index) {
			tables = append(tables, n.Index)
		}
	}
	limited = n.Type == "Limit" || limited && slices.Contains([]string{"LockRows", "Subquery Scan", "Result"}, n.Type)
	for _, part := range n.Plans {
		tables = append(tables, part.wholeTables(limited)...)
	}
	return tables
}

// reads are the indexes that are read, and the tables that are read without one.
func (n planNode) reads() (names []string) {
	switch {
	case n.Index != "":
		names = append(names, n.Index)
	case n.Type == "Seq Scan":
		names = append(names, "all of "+n.Table)
	}
	for _, part := range n.Plans {
		names = append(names, part.reads()...)
	}
	return names
}

// holdsFew reports whether an index has only those rows of a table that need somebody's attention.
func holdsFew(index string) bool {
	return slices.Contains([]string{"boards_asked", "boards_failed", "lessons_waiting", "paces_slow", "webhooks_disabled"}, index)
}

var scanned = regexp.MustCompile(`(?m)^SCAN ([a-z]\w*)(?:.* USING (?:COVERING )?INDEX (\w+))?(.*)$`)

// scannedTables reads a plan of SQLite.
func scannedTables(plan string) (tables []string) {
	for _, m := range scanned.FindAllStringSubmatch(plan, -1) {
		made := strings.Contains(plan, "MATERIALIZE "+m[1]) || strings.Contains(plan, "CO-ROUTINE "+m[1])
		if !made && !strings.Contains(m[3], "VIRTUAL TABLE") && !holdsFew(m[2]) {
			tables = append(tables, m[1])
		}
	}
	return tables
}
