// Package judges lets other people's software judge what boardwatch sends. It is a module of its own, so that the programs
// judged do not depend on their judges.
package judges
