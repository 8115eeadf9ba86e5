package ats

import "slices"

// placesOf are the places where a board of the system may be, in their order, but before them the one where it was in the
// last reading. A client without a Memory knows of none.
func placesOf(client Doer, a Adapter, board string, places []string) []string {
	memory, ok := client.(Memory)
	if !ok {
		return places
	}
	last, _ := memory.Recall(placeKey(a, board))
	at := slices.Index(places, last)
	if at <= 0 {
		return places
	}
	return slices.Concat(places[at:at+1], places[:at], places[at+1:])
}

// rememberPlace notes where a board is.
func rememberPlace(client Doer, a Adapter, board, place string) {
	if memory, ok := client.(Memory); ok {
		memory.Remember(placeKey(a, board), place)
	}
}

func placeKey(a Adapter, board string) string { return "place\x00" + a.Name() + "\x00" + board }
