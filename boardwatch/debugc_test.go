package boardwatch_test
import "time"
const debugName, debugWit, debugSize, debugCad = "a new half every three days", onPage, 20, 6*time.Hour
