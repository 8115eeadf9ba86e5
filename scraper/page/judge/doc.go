// Package judge estimates how likely a text is to be the title of a role, and a list to be the list of a page's open
// roles. Both estimates come from tables that tools/titles trains on labelled data. The package contains the features and
// the tables. It reads no files and keeps no state.
package judge
