//go:build long

package main_test

// moreVisits are the other combinations in which TestPerson looks at the app.
func moreVisits() map[string]visit {
	return map[string]visit{
		"with the script, on a phone, light":  {true, 390, "light"},
		"without the script, on a desk, dark": {false, 1280, "dark"},
	}
}
