package config

import "github.com/boardwatch/boardwatch/boardwatch/account"

// serviceSettings are those of webhooks, connections, mail and sign-up.
func serviceSettings() []Setting {
	return []Setting{
		{
			Key: "webhooks.retry_schedule", Default: "1m,5m,30m,2h,12h",
			field: func(c *Config) any { return &c.Webhook.RetrySchedule }, check: func(c Config) error { return checkSchedule(c.Webhook.RetrySchedule) },
			Doc: "The pauses between attempts at a delivery. Five pauses mean six attempts.",
		},
		{
			Key: "webhooks.timeout", Default: "10s",
			field: func(c *Config) any { return &c.Webhook.Timeout }, check: func(c Config) error { return positive(c.Webhook.Timeout) },
			Doc: "How long a receiver may take to answer, including the time to connect.",
		},
		{
			Key: "webhooks.disable_after", Default: "72h",
			field: func(c *Config) any { return &c.Webhook.DisableAfter }, check: func(c Config) error { return positive(c.Webhook.DisableAfter) },
			Doc: "A webhook is switched off when a delivery has used up its attempts and none has succeeded for this long.",
		},
		{
			Key: "webhooks.retention", Default: "720h",
			field: func(c *Config) any { return &c.Webhook.Retention }, check: func(c Config) error { return positive(c.Webhook.Retention) },
			Doc: "How long deliveries stay in the log after their last attempt. The last twenty deliveries of a webhook are always kept.",
		},
		{
			Key: "webhooks.header_prefix", Default: "X-Boardwatch",
			field: func(c *Config) any { return &c.Webhook.HeaderPrefix }, check: func(c Config) error { return checkHeaderPrefix(c.Webhook.HeaderPrefix) },
			Doc: "Prefix of the headers of a delivery: `<prefix>-Event`, `-Delivery`, `-Signature`.",
		},
		{
			Key:   "webhooks.proxy",
			field: func(c *Config) any { return &c.Webhook.Proxy }, check: func(c Config) error { return CheckURL(string(c.Webhook.Proxy), "http", "https", "socks5") },
			Doc: "Proxy for deliveries. When empty, deliveries are sent directly. The environment's proxy variables do not apply to them.",
		},
		{
			Key: "webhooks.concurrency", Default: "32",
			field: func(c *Config) any { return &c.Webhook.Concurrency }, check: func(c Config) error { return Between(1, 10_000, c.Webhook.Concurrency) },
			Doc: "How many deliveries one process sends at the same time, at most 4 of them to one webhook.",
		},
		{
			Key:   "channels.private_hosts",
			field: func(c *Config) any { return &c.Channel.PrivateHosts }, check: func(c Config) error { return checkHosts(c.Channel.PrivateHosts) },
			Doc: "Hosts, such as `ntfy.lan`, `10.0.0.5:8080` or `[fd00::5]:8080`, that channels may lead to although they are on a private network. Several are separated by commas. A host without a port is allowed on the usual port of the channel's address only: 443 for `https`, 80 for `http`. Networks such as `10.0.0.0/8` are refused.",
		},
		{
			Key: "oauth.access_ttl", Default: "1h",
			field: func(c *Config) any { return &c.OAuth.AccessTTL }, check: func(c Config) error { return positive(c.OAuth.AccessTTL) },
			Doc: "How long an access token of a connected program is valid.",
		},
		{
			Key: "oauth.refresh_ttl", Default: "720h",
			field: func(c *Config) any { return &c.OAuth.RefreshTTL }, check: func(c Config) error { return positive(c.OAuth.RefreshTTL) },
			Doc: "How long a connected program may be inactive before a person has to allow it again.",
		},
		{
			Key: "oauth.refresh_grace", Default: "60s",
			field: func(c *Config) any { return &c.OAuth.RefreshGrace }, check: func(c Config) error { return notNegative(c.OAuth.RefreshGrace) },
			Doc: "How long a refresh token that was already used still yields an access token, for programs that did not receive the first answer.",
		},
		{
			Key: "oauth.grant_ttl", Default: "4320h",
			field: func(c *Config) any { return &c.OAuth.GrantTTL }, check: func(c Config) error { return positive(c.OAuth.GrantTTL) },
			Doc: "How long a connection lasts at most before a person has to allow it again.",
		},
		{
			Key: "oauth.redirect_schemes", Default: "cursor,vscode,vscode-insiders",
			field: func(c *Config) any { return &c.OAuth.RedirectSchemes }, check: func(c Config) error { return checkSchemes(c.OAuth.RedirectSchemes) },
			Doc: "URL schemes that programs may use in their redirect addresses, besides `https`, and `http` on the person's own machine. Several are separated by commas.",
		},
		{
			Key: "oauth.allow_http", Default: "false", field: func(c *Config) any { return &c.OAuth.AllowHTTP },
			Doc: "Whether programs may connect although the base URL is `http` and not on this machine. Their tokens can then be read in transit.",
		},
		{
			Key:   "mcp.allowed_origins",
			field: func(c *Config) any { return &c.MCP.AllowedOrigins }, check: func(c Config) error { return checkOrigins(c.MCP.AllowedOrigins) },
			Doc: "Web pages, such as `https://inspector.example.com`, that may use the MCP connector from a browser. Several are separated by commas.",
		},
		{
			Key:   "secrets.key",
			field: func(c *Config) any { return &c.Secrets.Key }, check: checkSecretsKey,
			Doc: "The key that webhook secrets are encrypted with: 32 random bytes in base64, for example from `openssl rand -base64 32`.",
		},
		{
			Key: "secrets.key_file", field: func(c *Config) any { return &c.Secrets.KeyFile },
			Doc: "File that contains the key. When neither setting is given, `secret.key` in the data directory is used, and created on the first start. Keep a copy: without it the webhook secrets in the database are lost.",
		},
		{
			Key:   "mail.smtp_url",
			field: func(c *Config) any { return &c.Mail.SMTPURL }, check: func(c Config) error { return checkSMTP(c.Mail) },
			Doc: "Mail server: `smtp://user:password@host:587`, or `smtps://` for implicit TLS. Characters such as `#`, `/`, `?` and `%` in the password have to be escaped (`%23`, `%2F`, `%3F`, `%25`); `mail.password` takes it as it is. When empty, no mail is sent, and the links that people need are written to the log.",
		},
		{
			Key:   "mail.password",
			field: func(c *Config) any { return &c.Mail.Password }, check: checkMailPassword,
			Doc: "Password for the mail server, as it is, if `mail.smtp_url` only names the user: `smtp://user@host:587`.",
		},
		{
			Key: "mail.ca_file", field: func(c *Config) any { return &c.Mail.CAFile },
			Doc: "File with the certificates (PEM) of authorities that are trusted for the mail server, besides the system's.",
		},
		{
			Key: "mail.tls_verify", Default: "true", field: func(c *Config) any { return &c.Mail.TLSVerify },
			Doc: "Whether the certificate of the mail server is checked. If not, anybody on the way can read the mail and the password; `mail.ca_file` is safer.",
		},
		{
			Key:   "mail.from",
			field: func(c *Config) any { return &c.Mail.From }, check: func(c Config) error { return checkMailFrom(c.Mail.From) },
			Doc: "Sender of the mail, such as `Boardwatch <boards@example.com>`. When empty, `boardwatch` at the host of the base URL.",
		},
		{
			Key: "mail.digest_hour", Default: "7",
			field: func(c *Config) any { return &c.Mail.DigestHour }, check: func(c Config) error { return Between(0, 23, c.Mail.DigestHour) },
			Doc: "Hour of the day at which the daily mail is sent to people who have not chosen an hour. It is an hour in the person's time zone, or in UTC if they have not chosen one.",
		},
		{
			Key: "signup.mode", Default: "closed",
			field: func(c *Config) any { return &c.Signup.Mode }, check: func(c Config) error { return CheckEach([]string{c.Signup.Mode}, "closed", "invite", "open") },
			Doc: "Who may sign up: nobody (`closed`), people with an invitation (`invite`), or anybody (`open`). Operators can always create accounts.",
		},
		{
			Key: "signup.password", Default: "true",
			field: func(c *Config) any { return &c.Signup.Password }, check: checkWithoutPasswords,
			Doc: "Whether people can sign up and sign in with a password. If not, `oidc.issuer` is required. Operators can always sign in with theirs.",
		},
		{
			Key: "signup.plan", Default: string(account.PlanFree),
			field: func(c *Config) any { return &c.Signup.Plan }, check: func(c Config) error { return CheckEach([]string{c.Signup.Plan}, PlanNames()...) },
			Doc: "The plan of new accounts.",
		},
		{
			Key:   "admin.email",
			field: func(c *Config) any { return &c.Admin.Email }, check: func(c Config) error { return checkEmail(c.Admin.Email) },
			Doc: "E-mail address of the first operator. Their account is created on start if there are no accounts yet. When empty, the log shows a link for creating it.",
		},
		{
			Key:   "admin.password",
			field: func(c *Config) any { return &c.Admin.Password }, check: func(c Config) error { return checkPassword(string(c.Admin.Password)) },
			Doc: "Password of the first operator. It is used once, when the account is created, and can be removed afterwards.",
		},
	}
}
