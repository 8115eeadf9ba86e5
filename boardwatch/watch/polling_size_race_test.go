//go:build long && race

package watch_test

// pollingRoles are those of each board in the end. The race detector makes the database many times slower, so that the
// pollers would starve the writers of a full size; `make check-long` runs that without it.
const pollingRoles = 100
