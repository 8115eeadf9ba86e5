//go:build !long

package main_test

func moreVisits() map[string]visit { return map[string]visit{} }
