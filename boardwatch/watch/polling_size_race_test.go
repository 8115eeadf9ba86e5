//go:build long && race

package watch_test

// pollingRoles is the final number of roles on each board. The race detector makes the database many times slower, so
// that the pollers would starve the writers of a full size; `make check-long` runs that without it.
const pollingRoles = 100
