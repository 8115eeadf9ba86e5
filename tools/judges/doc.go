// Package judges has other people's software check what boardwatch sends. It is a module of its own, so that the programs
// under test do not depend on that software.
package judges
