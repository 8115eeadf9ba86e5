//go:build long && !race

package watch_test

const pollingRoles = 500 // of each board in the end
