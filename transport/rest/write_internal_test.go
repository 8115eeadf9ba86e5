package rest

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/boardwatch/boardwatch/boardwatch"
)

// sampleJobs are a full page.
func sampleJobs() jobsBody {
	b := jobsBody{Total: 20_000, PolledAt: instant(time.UnixMilli(1_795_000_000_123))}
	for range 100 {
		b.Jobs = append(b.Jobs, boardwatch.Job{
			ID: boardwatch.NewID(), BoardID: boardwatch.NewID(), Company: "Northwind Optics", Title: "Senior Optical Engineer (all genders)",
			Location: "Bergen, Norway", Department: "Engineering", URL: "https://northwind.example/careers/senior-optical-engineer",
			Status: boardwatch.JobOpen, FirstSeenAt: time.UnixMilli(1_794_000_000_000), LastSeenAt: time.UnixMilli(1_795_000_000_000),
		})
	}
	return b
}

func BenchmarkWriteJobs(b *testing.B) {
	body := sampleJobs()
	b.ReportAllocs()
	for b.Loop() {
		write(httptest.NewRecorder(), http.StatusOK, body)
	}
}
