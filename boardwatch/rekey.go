package boardwatch

import (
	"slices"
	"strings"
	"unicode"
)

// Rekey gives known jobs the keys of another source: roles that are found again by title and place keep their ids. It
// is for a board whose source changed.
//
// A title that only one open job and one posting have makes them the same role, wherever they are. If more share it,
// the places decide: first equal texts, then texts of which one has all the words of the other ("Berlin" and "Berlin,
// Germany"). Ambiguous matches are not made.
func Rekey(known []Job, r Reading) []Job {
	return rekey(known, r, func(Job) bool { return true })
}

// RekeyMerged is like Rekey, but only for jobs that came with a board merged into this one. All others keep their keys:
// their source has not changed, and a different key on it is a different role.
func RekeyMerged(known []Job, r Reading) []Job {
	return rekey(known, r, Job.merged)
}

// merged reports whether the job came with a merge and no reading has shown it since.
func (j Job) merged() bool { return strings.HasPrefix(j.Key, MergedKey) }

func rekey(known []Job, r Reading, movable func(Job) bool) []Job {
	shown := r.keys()
	free := func(j Job) bool { return j.Status == JobOpen && movable(j) && !shown[j.Key] }
	if !slices.ContainsFunc(known, free) {
		return known
	}
	taken := make(map[string]bool, len(known))
	jobs := make([]roleName, 0, len(known))
	place := make([]int, 0, len(known)) // the index in known of each of these jobs
	for i, j := range known {
		taken[j.Key] = true
		if j.Status == JobOpen {
			jobs = append(jobs, nameOf(j.posting(), free(j)))
			place = append(place, i)
		}
	}
	postings := make([]roleName, len(r.Postings))
	for i, p := range r.Postings {
		postings[i] = nameOf(p, !taken[p.Key])
	}
	out := slices.Clone(known)
	for job, posting := range sameRoles(jobs, postings) {
		out[place[job]].Key = r.Postings[posting].Key
	}
	return out
}

// roleName identifies a role if its key cannot.
type roleName struct {
	title, place string // folded
	free         bool   // has no counterpart yet
}

func nameOf(p Posting, free bool) roleName { return roleName{fold(p.Title), fold(p.Location), free} }

// sameRoles pairs the free roles of two lists, by index, with the rules of Rekey. No role is in two pairs.
func sameRoles(left, right []roleName) map[int]int {
	pairs := make(map[int]int)
	rights := byTitle(right)
	for title, l := range byTitle(left) {
		r := rights[title]
		if len(l) == 1 && len(r) == 1 {
			if left[l[0]].free && right[r[0]].free {
				pairs[l[0]] = r[0]
			}
			continue
		}
		pairPlaces(byPlace(left, l), byPlace(right, r), pairs)
	}
	return pairs
}

func byTitle(list []roleName) map[string][]int {
	out := make(map[string][]int, len(list))
	for i, n := range list {
		out[n.title] = append(out[n.title], i)
	}
	return out
}

// byPlace groups the free ones among some roles of a list by place.
func byPlace(list []roleName, some []int) map[string][]int {
	out := make(map[string][]int)
	for _, i := range some {
		if list[i].free {
			out[list[i].place] = append(out[list[i].place], i)
		}
	}
	return out
}

// pairPlaces pairs roles with the same title by their places, and removes the paired ones from the lists.
func pairPlaces(left, right map[string][]int, pairs map[int]int) {
	for place, l := range left {
		// Equally many on both sides cannot be distinguished, so it does not matter which is which.
		if r := right[place]; len(l) == len(r) {
			for i := range l {
				pairs[l[i]] = r[i]
			}
			delete(left, place)
			delete(right, place)
		}
	}
	if len(left)*len(right) > mostPlaces {
		return
	}
	near := make(map[string][]string, len(left)) // the places on the right that agree with one on the left
	wanted := make(map[string]int, len(right))   // how many on the left agree with one on the right
	said := make(map[string][]string, len(right))
	for r := range right {
		said[r] = placeWords(r)
	}
	for l := range left {
		words := placeWords(l)
		for r, others := range said {
			if within(words, others) || within(others, words) {
				near[l] = append(near[l], r)
				wanted[r]++
			}
		}
	}
	for l, places := range near {
		r := places[0]
		if len(places) == 1 && wanted[r] == 1 && len(left[l]) == 1 && len(right[r]) == 1 {
			pairs[left[l][0]] = right[r][0]
		}
	}
}

// mostPlaces limits how many places are compared, because this happens while a check is saved. Beyond it, roles with
// the same title count as new.
const mostPlaces = 250_000

func placeWords(place string) []string {
	return strings.FieldsFunc(place, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
}

// within reports whether one list has all the words of the other. A missing place agrees with any.
func within(few, many []string) bool {
	return !slices.ContainsFunc(few, func(word string) bool { return !slices.Contains(many, word) })
}
