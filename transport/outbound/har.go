package outbound

// The part of HAR 1.2 that is needed to play and to record: http://www.softwareishard.com/blog/har-12-spec. What an
// Archive reads is as little as possible, because browsers and proxies fill the rest in ways of their own; what only a
// Recorder writes is in the "written" types. Names with an underscore are each writer's own, as HAR allows.

type harEntry struct {
	Request  harRequest  `json:"request"`
	Response harResponse `json:"response"`
}

type harRequest struct {
	Method   string   `json:"method"`
	URL      string   `json:"url"`
	PostData *harPost `json:"postData,omitempty"`
}

type harPost struct {
	MimeType string    `json:"mimeType"`
	Text     string    `json:"text"`
	Params   []harPair `json:"params,omitempty"`
	Encoding string    `json:"_encoding,omitempty"` //nolint:tagliatelle // HAR's form for a field of one's own
}

type harResponse struct {
	Status      int        `json:"status"`
	HTTPVersion string     `json:"httpVersion"`
	Headers     []harPair  `json:"headers"`
	Content     harContent `json:"content"`
	RedirectURL string     `json:"redirectURL"`      //nolint:tagliatelle // HAR's spelling
	Error       string     `json:"_error,omitempty"` //nolint:tagliatelle // browsers call a network failure so
}

type harContent struct {
	MimeType string `json:"mimeType"`
	Text     string `json:"text"`
	Encoding string `json:"encoding,omitempty"`
}

type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type writtenFile struct {
	Log writtenLog `json:"log"`
}

type writtenLog struct {
	Version string         `json:"version"`
	Creator writtenCreator `json:"creator"`
	Entries []writtenEntry `json:"entries"`
}

type writtenCreator struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type writtenEntry struct {
	StartedDateTime string          `json:"startedDateTime"`
	Time            float64         `json:"time"`
	Request         writtenRequest  `json:"request"`
	Response        writtenResponse `json:"response"`
	Cache           struct{}        `json:"cache"`
	Timings         writtenTimings  `json:"timings"`
}

type writtenRequest struct {
	harRequest

	HTTPVersion string    `json:"httpVersion"`
	Cookies     []harPair `json:"cookies"`
	Headers     []harPair `json:"headers"`
	QueryString []harPair `json:"queryString"`
	HeadersSize int       `json:"headersSize"`
	BodySize    int       `json:"bodySize"`
}

type writtenResponse struct {
	harResponse

	StatusText  string         `json:"statusText"`
	Cookies     []harPair      `json:"cookies"`
	Content     writtenContent `json:"content"` // in place of the embedded one
	HeadersSize int            `json:"headersSize"`
	BodySize    int            `json:"bodySize"`
}

type writtenContent struct {
	harContent

	Size int `json:"size"`
}

type writtenTimings struct {
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}
