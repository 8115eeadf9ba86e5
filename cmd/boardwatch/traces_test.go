package main_test

import (
	"compress/gzip"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	main "github.com/boardwatch/boardwatch/cmd/boardwatch"
	"github.com/boardwatch/boardwatch/cmd/boardwatch/internal/demo"
)

// spanCollector is a receiver of OTLP over HTTP.
type spanCollector struct {
	*httptest.Server

	mu    sync.Mutex
	spans []*otlp.Span
	raw   strings.Builder // everything that was sent, unpacked
	heard http.Header     // of the last request
}

func newSpanCollector(t *testing.T) *spanCollector {
	t.Helper()
	c := &spanCollector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := c.take(r); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *spanCollector) take(r *http.Request) error {
	body := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		unpacked, err := gzip.NewReader(r.Body)
		if err != nil {
			return err
		}
		body = unpacked
	}
	raw, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	var sent collector.ExportTraceServiceRequest
	if err := proto.Unmarshal(raw, &sent); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.raw.Write(raw)
	c.heard = r.Header
	for _, of := range sent.GetResourceSpans() {
		for _, scope := range of.GetScopeSpans() {
			c.spans = append(c.spans, scope.GetSpans()...)
		}
	}
	return nil
}

// named are the spans of a name.
func (c *spanCollector) named(name string) []*otlp.Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	var found []*otlp.Span
	for _, s := range c.spans {
		if s.GetName() == name {
			found = append(found, s)
		}
	}
	return found
}

// within are the spans directly below another, by name. Where there are several of a name, it is the last.
func (c *spanCollector) within(parent *otlp.Span) map[string]*otlp.Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := map[string]*otlp.Span{}
	for _, s := range c.spans {
		if string(s.GetParentSpanId()) == string(parent.GetSpanId()) && string(s.GetTraceId()) == string(parent.GetTraceId()) {
			found[s.GetName()] = s
		}
	}
	return found
}

// noted are the facts of a span, as text.
func noted(s *otlp.Span) map[string]string {
	facts := map[string]string{}
	for _, a := range s.GetAttributes() {
		facts[a.GetKey()] = a.GetValue().GetStringValue()
		if facts[a.GetKey()] == "" {
			facts[a.GetKey()] = strings.Trim(a.GetValue().String(), " ")
		}
	}
	return facts
}

// The SDK reads the variables of this process; the program is handed them like any others. So tests set both.
const endpointVariable = "OTEL_EXPORTER_OTLP_ENDPOINT"

const strangersTrace = "0af7651916cd43dd8448eb211c80319c"

// asStranger asks with a header that names a trace and wants it to be sampled.
func asStranger(t *testing.T, address, key string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	require.NoError(t, err)
	r.Header.Set("Authorization", "Bearer "+key)
	r.Header.Set("Traceparent", "00-"+strangersTrace+"-b7ad6b7169203331-01")
	res, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	_, err = io.Copy(io.Discard, res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, http.StatusOK, res.StatusCode)
}

// TestTraces runs the whole service with a collector, and looks at the spans of a check, of a delivery and of a request, and
// for secrets in all of them.
func TestTraces(t *testing.T) {
	t.Setenv("OTEL_SERVICE_NAME", "watching")
	for name, database := range databases() {
		t.Run(name, func(t *testing.T) {
			spans := newSpanCollector(t)
			const password, collectorKey = "a sentence that only ada would say", "collectorkey4711"
			site := newCareersSite(t, demo.Role{ID: 1, Title: "Lock Keeper", Location: "Delft", Department: "Water"})
			receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
			t.Cleanup(receiver.Close)
			t.Setenv(endpointVariable, spans.URL)
			t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "api-key="+collectorKey)
			t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "100")
			i := install(t, database(t), endpointVariable+"="+spans.URL, "BOARDWATCH_DEV=true", "BOARDWATCH_PLANS_ULTRA_CADENCE=200ms",
				"BOARDWATCH_ADMIN_EMAIL="+e2eEmail, "BOARDWATCH_ADMIN_PASSWORD="+password)
			r := i.serve()
			var key struct{ Secret string }
			i.do(&key, "key", "create", "--account", e2eEmail, "--name", "Laptop")
			hook := i.webhook(strings.Replace(receiver.URL, "127.0.0.1", "localhost", 1)+"/hooks/hookpath4711?token=hookquery4711", "job.found")
			var added any
			i.do(&added, "board", "add", "--account", e2eEmail, site.URL+"/careers?secret=boardquery4711")
			i.eventually("a delivery", func() bool {
				all := i.deliveries(hook.ID)
				return len(all) > 0 && all[0].State == "delivered"
			})
			asStranger(t, r.url+"/v1/jobs?search=searched4711", key.Secret)
			cookies := signIn(t, r.url, password)
			require.NotEmpty(t, cookies)
			knock(t, r.url+"/feeds/feedtoken4711", "bw_"+strings.Repeat("Z", 40))
			knock(t, r.url+"/healthz", "bw_"+strings.Repeat("Z", 40))
			r.stop()
			require.Zero(t, <-r.code, r.errs)

			check := spans.named("check")[0]
			require.Empty(t, check.GetParentSpanId())
			require.Equal(t, "ok", noted(check)["health"])
			asked, saved := spans.within(check)["GET"], spans.within(check)["transaction"]
			require.Equal(t, site.URL+"/careers", noted(asked)["url.full"], "after robots.txt")
			require.Equal(t, otlp.Span_SPAN_KIND_CLIENT, asked.GetKind())
			require.GreaterOrEqual(t, saved.GetStartTimeUnixNano(), asked.GetEndTimeUnixNano())
			require.Contains(t, spans.within(saved), "UPDATE boards")

			delivery := spans.named("deliver")[0]
			require.Equal(t, hook.ID, noted(delivery)["webhook_id"])
			require.Equal(t, "localhost", noted(delivery)["server.address"])
			recorded := spans.within(spans.named("save attempts")[0])["transaction"]
			require.Contains(t, spans.within(recorded), "UPDATE deliveries")

			request := spans.named("GET /v1/jobs")[0]
			require.NotEqual(t, strangersTrace, hex.EncodeToString(request.GetTraceId()))
			require.Empty(t, request.GetParentSpanId())
			require.NotEmpty(t, noted(request)["key_id"])
			require.Contains(t, spans.within(request), "SELECT jobs")
			require.Contains(t, spans.raw.String(), "/feeds/…", "this is where the token would be")
			require.Empty(t, spans.named("POST /healthz"))
			require.Equal(t, collectorKey, spans.heard.Get("Api-Key"))
			require.Contains(t, spans.raw.String(), "watching")

			secrets := []string{
				password, collectorKey, key.Secret, hook.Secret, "hookpath4711", "hookquery4711", "boardquery4711", "searched4711",
				"feedtoken4711", strings.Repeat("Z", 40), e2eEmail,
			}
			for _, value := range cookies {
				secrets = append(secrets, value)
			}
			for _, secret := range secrets {
				require.NotContains(t, spans.raw.String(), secret)
			}
			require.NotContains(t, r.errs.String(), collectorKey)
		})
	}
}

// TestATraceOfSomebodyElseIsContinuedOnlyIfAllowed is the setting traces.accept_parent; TestTraces is the service without it.
func TestATraceOfSomebodyElseIsContinuedOnlyIfAllowed(t *testing.T) {
	spans := newSpanCollector(t)
	t.Setenv(endpointVariable, spans.URL)
	t.Setenv("OTEL_TRACES_SAMPLER", "parentbased_always_off")
	i := install(t, onSQLite(t), endpointVariable+"="+spans.URL, "BOARDWATCH_TRACES_ACCEPT_PARENT=true")
	i.do(&struct{}{}, "account", "create", "--email", e2eEmail, "--plan", "ultra", "--verified")
	var key struct{ Secret string }
	i.do(&key, "key", "create", "--account", e2eEmail, "--name", "Laptop")
	r := i.serve()
	require.Contains(t, ask(t, r.url+"/v1/boards", key.Secret), "boards")
	asStranger(t, r.url+"/v1/jobs", key.Secret)
	r.stop()
	require.Zero(t, <-r.code, r.errs)

	require.Empty(t, spans.named("GET /v1/boards"), "the sampler leaves out what nobody asks for")
	request := spans.named("GET /v1/jobs")
	require.Len(t, request, 1)
	require.Equal(t, strangersTrace, hex.EncodeToString(request[0].GetTraceId()))
}

// TestACollectorThatIsNotThereStopsNothing starts and ends the service in vain of a collector.
func TestACollectorThatIsNotThereStopsNothing(t *testing.T) {
	spans := newSpanCollector(t)
	address := strings.Replace(spans.URL, "http://", "http://ann:collectorkey4711@", 1)
	spans.Close()
	t.Setenv(endpointVariable, address)
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "10")
	i := install(t, onSQLite(t), endpointVariable+"="+address)
	r := i.serve()
	for range 3 {
		status, _ := r.get(t, "/")
		require.Less(t, status, http.StatusInternalServerError)
	}
	i.eventually("it is told", func() bool { return strings.Contains(r.errs.String(), "traces cannot be sent") })
	r.stop()
	require.Zero(t, <-r.code, r.errs)
	require.Equal(t, 1, strings.Count(r.errs.String(), "traces cannot be sent"))
	require.NotContains(t, r.errs.String(), "collectorkey4711")
}

// TestTracesThatCannotBeAreRefused is about variables that are wrong: the service says so instead of sending nothing.
func TestTracesThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	for variable, says := range map[string]string{
		"OTEL_EXPORTER_OTLP_PROTOCOL=grpc":                  "only http/protobuf",
		"OTEL_TRACES_SAMPLER=sometimes":                     "parentbased_traceidratio",
		"OTEL_EXPORTER_OTLP_HEADERS=collectorkey4711":       "name=value",
		"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT=collector:4318": "http://localhost:4318",
		"OTEL_TRACES_EXPORTER=zipkin":                       "otlp, none",
	} {
		t.Run(variable, func(t *testing.T) {
			t.Parallel()
			var out, errs output
			i := install(t, "sqlite:"+t.TempDir()+"/traces.db", endpointVariable+"=http://127.0.0.1:4318", variable)
			require.Equal(t, 2, main.Execute(t.Context(), i.cli(&out, &errs), []string{"serve"}))
			name, _, _ := strings.Cut(variable, "=")
			require.Contains(t, errs.String(), name)
			require.Contains(t, errs.String(), says)
			require.NotContains(t, errs.String(), "collectorkey4711")
		})
	}
}
