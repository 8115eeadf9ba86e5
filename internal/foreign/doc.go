// Package foreign reads text that others wrote as they wrote it: UTF8 finds the charset of a text, whatever it is called, and
// XML mends what makes a document unreadable for a strict parser and costs a reader nothing.
package foreign
