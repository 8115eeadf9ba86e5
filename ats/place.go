package ats

import "slices"

// placesOf are the places where a board of the system may be, in the given order, but first the one where it was in the
// last reading. A client without a Memory does not know that.
func placesOf(client Doer, system, board string, places []string) []string {
	memory, ok := client.(Memory)
	if !ok {
		return places
	}
	last, _ := memory.Recall(placeKey(system, board))
	at := slices.Index(places, last)
	if at <= 0 {
		return places
	}
	return slices.Concat(places[at:at+1], places[:at], places[at+1:])
}

// rememberPlace notes where a board is.
func rememberPlace(client Doer, system, board, place string) {
	if memory, ok := client.(Memory); ok {
		memory.Remember(placeKey(system, board), place)
	}
}

func placeKey(system, board string) string { return "place\x00" + system + "\x00" + board }
