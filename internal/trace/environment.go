package trace

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

const (
	endpoint       = "OTEL_EXPORTER_OTLP_ENDPOINT"
	tracesEndpoint = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
)

// readEnvironment reports whether spans are wanted, and checks the variables that the SDK would pass over in silence if they
// were wrong. The SDK reads them, and the others, itself.
func readEnvironment(environ []string) (wanted bool, err error) {
	env := make(map[string]string, len(environ))
	for _, pair := range environ {
		if name, value, ok := strings.Cut(pair, "="); ok && strings.HasPrefix(name, "OTEL_") {
			env[name] = strings.TrimSpace(value)
		}
	}
	off := strings.EqualFold(env["OTEL_SDK_DISABLED"], "true") || env["OTEL_TRACES_EXPORTER"] == "none"
	if off || env[endpoint] == "" && env[tracesEndpoint] == "" {
		return false, nil
	}
	return true, errors.Join(checkEndpoint(env, endpoint), checkEndpoint(env, tracesEndpoint), checkExporter(env),
		checkProtocol(env, "OTEL_EXPORTER_OTLP_PROTOCOL"), checkProtocol(env, "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"),
		checkHeaders(env, "OTEL_EXPORTER_OTLP_HEADERS"), checkHeaders(env, "OTEL_EXPORTER_OTLP_TRACES_HEADERS"), checkSampler(env))
}

// checkEndpoint leaves the value out of its error: it may hold a password.
func checkEndpoint(env map[string]string, name string) error {
	if env[name] == "" {
		return nil
	}
	if u, err := url.Parse(env[name]); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("%s must be the address of a collector, such as http://localhost:4318", name)
	}
	return nil
}

func checkExporter(env map[string]string) error {
	if v := env["OTEL_TRACES_EXPORTER"]; v != "" && v != "otlp" {
		return fmt.Errorf("OTEL_TRACES_EXPORTER: %q is not one of otlp, none", v)
	}
	return nil
}

func checkProtocol(env map[string]string, name string) error {
	if v := env[name]; v != "" && v != "http/protobuf" {
		return fmt.Errorf("%s: %q is not spoken here; only http/protobuf is, usually on port 4318", name, v)
	}
	return nil
}

// checkHeaders leaves the value out of its error: it is a credential.
func checkHeaders(env map[string]string, name string) error {
	for pair := range strings.SplitSeq(env[name], ",") {
		key, _, ok := strings.Cut(pair, "=")
		if env[name] != "" && (!ok || strings.TrimSpace(key) == "") {
			return fmt.Errorf("%s must be a list of name=value, separated by commas", name)
		}
	}
	return nil
}

func checkSampler(env map[string]string) error {
	const name, argument = "OTEL_TRACES_SAMPLER", "OTEL_TRACES_SAMPLER_ARG"
	sampler := env[name]
	known := []string{"always_on", "always_off", "traceidratio", "parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio"}
	if sampler != "" && !slices.Contains(known, sampler) {
		return fmt.Errorf("%s: %q is not one of %s", name, sampler, strings.Join(known, ", "))
	}
	if !strings.HasSuffix(sampler, "traceidratio") || env[argument] == "" {
		return nil
	}
	if share, err := strconv.ParseFloat(env[argument], 64); err != nil || share < 0 || share > 1 {
		return fmt.Errorf("%s: %q is not a number from 0 to 1", argument, env[argument])
	}
	return nil
}
