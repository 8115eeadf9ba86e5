package config

import (
	"strconv"

	"github.com/boardwatch/boardwatch/boardwatch/account"
)

// planSettings are the allowances of each plan.
func planSettings() []Setting {
	plan := func(c *Config, name account.PlanName) *account.Plan {
		switch name {
		case account.PlanFree:
			return &c.Plans.Free
		case account.PlanPro:
			return &c.Plans.Pro
		case account.PlanUltra:
			return &c.Plans.Ultra
		default:
			panic("no settings for the plan " + string(name))
		}
	}
	var table []Setting
	for _, name := range account.PlanNames() {
		def := account.DefaultPlans()[name]
		key := "plans." + string(name) + "."
		table = append(table,
			Setting{
				Key: key + "boards", Default: strconv.Itoa(def.Boards),
				field: func(c *Config) any { return &plan(c, name).Boards }, check: func(c Config) error { return atLeast(0, plan(&c, name).Boards) },
				Doc: "How many of an account's boards are read on this plan. Further boards stay on its list, but locked.",
			},
			Setting{
				Key: key + "cadence", Default: ShortDuration(def.Cadence),
				field: func(c *Config) any { return &plan(c, name).Cadence }, check: func(c Config) error { return positive(plan(&c, name).Cadence) },
				Doc: "How often boards are read on this plan. A board that several accounts track is read at the fastest of their cadences.",
			},
			Setting{
				Key: key + "rest", Default: strconv.FormatBool(def.REST), field: func(c *Config) any { return &plan(c, name).REST },
				Doc: "Whether this plan includes the REST interface.",
			},
			Setting{
				Key: key + "mcp", Default: strconv.FormatBool(def.MCP), field: func(c *Config) any { return &plan(c, name).MCP },
				Doc: "Whether this plan includes the MCP connector.",
			},
			Setting{
				Key: key + "webhooks", Default: strconv.FormatBool(def.Webhooks), field: func(c *Config) any { return &plan(c, name).Webhooks },
				Doc: "Whether this plan includes webhooks.",
			},
		)
	}
	return table
}

// signInSettings say how people sign in.
func signInSettings() []Setting {
	return []Setting{
		{
			Key: "oidc.issuer", field: func(c *Config) any { return &c.OIDC.Issuer }, check: func(c Config) error { return checkProvider(c.OIDC) },
			Doc: "The OpenID Connect provider with which people can sign in, such as `https://login.example.com/realms/main`, exactly as the provider writes it. When empty, there is none. See [signing in](sign-in.md).",
		},
		{
			Key: "oidc.client_id", field: func(c *Config) any { return &c.OIDC.ClientID }, check: func(c Config) error { return checkPrintable(c.OIDC.ClientID) },
			Doc: "The name under which this service is registered at the provider. Required with `oidc.issuer`.",
		},
		{
			Key: "oidc.client_secret", field: func(c *Config) any { return &c.OIDC.ClientSecret },
			Doc: "The secret that the provider has given this service. Leave it empty for a client without one.",
		},
		{
			Key: "oidc.scopes", Default: "email",
			field: func(c *Config) any { return &c.OIDC.Scopes }, check: func(c Config) error { return checkScopes(c.OIDC.Scopes) },
			Doc: "What the provider is asked for, besides `openid`. Several are separated by commas.",
		},
		{
			Key: "oidc.name", Default: "single sign-on",
			field: func(c *Config) any { return &c.OIDC.Name }, check: func(c Config) error { return checkName(c.OIDC.Name) },
			Doc: "What people call the provider: the button says “Sign in with …”.",
		},
		{
			Key: "oidc.allowed_domains", field: func(c *Config) any { return &c.OIDC.AllowedDomains },
			check: func(c Config) error { return checkDomains(c.OIDC.AllowedDomains) },
			Doc:   "Domains of e-mail addresses, such as `example.com`. Only people of the provider with such an address find their account by it, or get one. When empty, every domain counts. Several are separated by commas.",
		},
		{
			Key: "oidc.create", Default: "false", field: func(c *Config) any { return &c.OIDC.Create },
			Doc: "Whether people of the provider get an account when they first sign in. They need an address in one of `oidc.allowed_domains`; without such a list, `signup.mode` must be `open`. An invitation works in any case.",
		},
	}
}
