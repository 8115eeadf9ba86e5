package ats

// NamedVendors are the systems that are recognised without an adapter, as their vendors write them.
func NamedVendors() []string {
	var vendors []string
	for _, s := range namedSystems {
		vendors = append(vendors, s.vendor)
	}
	return vendors
}
