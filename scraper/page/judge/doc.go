// Package judge says how likely a text is the title of a role, and a list the list of a page's open roles. Both answers
// come from tables that tools/titles trains on labelled data; the package itself holds the features and the tables, reads
// no files and keeps no state.
package judge
