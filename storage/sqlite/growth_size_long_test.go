//go:build long

package sqlite_test

// floodEvery is how many minutes the account of TestAnAccountCannotFloodTheDatabase waits between its checks.
const floodEvery = 1
