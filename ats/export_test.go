package ats

import (
	"maps"
	"slices"
)

// NamedVendors are the systems that are recognised without an adapter, as their vendors write them.
func NamedVendors() []string {
	var vendors []string
	for _, s := range namedSystems {
		vendors = append(vendors, s.vendor)
	}
	return vendors
}

// VendorNames are the labels that are the vendor's own on every system.
func VendorNames() []string { return vendorNames }

// AskedSystems are those that are asked for the data of one role.
func AskedSystems() []string { return slices.Sorted(maps.Keys(roleForms)) }
