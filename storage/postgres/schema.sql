-- Made from the migrations by go test . -run Schema -update. Nothing reads it but people.

TABLE accounts
	id text NOT NULL
	email text NOT NULL
	plan text NOT NULL
	verified boolean NOT NULL DEFAULT false
	admin boolean NOT NULL DEFAULT false
	password_hash text NOT NULL DEFAULT ''::text
	created_at bigint NOT NULL
	listed bigint NOT NULL DEFAULT '-1'::integer
	PRIMARY KEY (id)
	UNIQUE (email)

TABLE addresses
	address text NOT NULL
	board_id text NOT NULL
	FOREIGN KEY (board_id) REFERENCES boards(id)
	PRIMARY KEY (address)
CREATE INDEX addresses_board_id ON addresses USING btree (board_id)

TABLE aliases
	id text NOT NULL
	board_id text NOT NULL
	FOREIGN KEY (board_id) REFERENCES boards(id)
	PRIMARY KEY (id)
CREATE INDEX aliases_board_id ON aliases USING btree (board_id)

TABLE api_keys
	id text NOT NULL
	account_id text NOT NULL
	name text NOT NULL
	hint text NOT NULL
	hash text NOT NULL
	created_at bigint NOT NULL
	last_used_at bigint NOT NULL DEFAULT 0
	FOREIGN KEY (account_id) REFERENCES accounts(id)
	PRIMARY KEY (id)
	UNIQUE (hash)
CREATE INDEX api_keys_account_id ON api_keys USING btree (account_id)

TABLE boards
	id text NOT NULL
	source text
	system text NOT NULL DEFAULT ''::text
	url text NOT NULL
	company text NOT NULL DEFAULT ''::text
	domain text NOT NULL DEFAULT ''::text
	status text NOT NULL
	open_jobs bigint NOT NULL DEFAULT 0
	closed_jobs bigint NOT NULL DEFAULT 0
	cadence_ms bigint NOT NULL DEFAULT 0
	next_check_at bigint
	added_at bigint NOT NULL
	health text NOT NULL DEFAULT ''::text
	last_checked_at bigint NOT NULL DEFAULT 0
	last_success_at bigint NOT NULL DEFAULT 0
	sick_since bigint NOT NULL DEFAULT 0
	missing bigint NOT NULL DEFAULT 0
	fingerprint text NOT NULL DEFAULT ''::text
	set_hash text NOT NULL DEFAULT ''::text
	state text NOT NULL DEFAULT ''::text
	version bigint NOT NULL DEFAULT 0
	lease_until bigint NOT NULL DEFAULT 0
	streak bigint NOT NULL DEFAULT 0
	asked_by text NOT NULL DEFAULT ''::text
	asked_host text NOT NULL DEFAULT ''::text
	asked_at bigint NOT NULL DEFAULT 0
	recipe text NOT NULL DEFAULT ''::text
	well_since bigint NOT NULL DEFAULT 0
	PRIMARY KEY (id)
CREATE INDEX boards_asked ON boards USING btree (asked_by, asked_at, id) WHERE (next_check_at = 1)
CREATE INDEX boards_company ON boards USING btree (lower(company) COLLATE "C")
CREATE INDEX boards_failed ON boards USING btree (id) WHERE (status = 'failed'::text)
CREATE INDEX boards_next_check_at ON boards USING btree (next_check_at) WHERE (next_check_at IS NOT NULL)
CREATE INDEX boards_sick ON boards USING btree (sick_since) WHERE (sick_since > 0)
CREATE INDEX boards_system ON boards USING btree (system, next_check_at) WHERE (next_check_at IS NOT NULL)
CREATE INDEX boards_untracked ON boards USING btree (added_at) WHERE (cadence_ms = 0)
CREATE UNIQUE INDEX boards_source ON boards USING btree (source) WHERE (source IS NOT NULL)

TABLE changes
	seq bigint NOT NULL
	board_id text NOT NULL
	check_id text NOT NULL
	job_id text NOT NULL
	kind text NOT NULL
	at bigint NOT NULL
	details text NOT NULL DEFAULT ''::text
	FOREIGN KEY (board_id) REFERENCES boards(id)
	PRIMARY KEY (seq)
CREATE INDEX changes_board_id ON changes USING btree (board_id, at)
CREATE INDEX changes_job_id ON changes USING btree (board_id, job_id)

TABLE checks
	seq bigint NOT NULL
	id text NOT NULL
	board_id text NOT NULL
	at bigint NOT NULL
	health text NOT NULL
	reason text NOT NULL
	blocked_by text NOT NULL
	open_jobs bigint NOT NULL
	found bigint NOT NULL
	closed bigint NOT NULL
	updated bigint NOT NULL
	requests bigint NOT NULL
	repeats bigint NOT NULL DEFAULT 0
	last_at bigint NOT NULL DEFAULT 0
	cause text NOT NULL DEFAULT ''::text
	merged boolean NOT NULL DEFAULT false
	event text NOT NULL DEFAULT ''::text
	reopened bigint NOT NULL DEFAULT 0
	missed bigint NOT NULL DEFAULT 0
	first_reading boolean NOT NULL DEFAULT false
	FOREIGN KEY (board_id) REFERENCES boards(id)
	PRIMARY KEY (seq)
	UNIQUE (id)
CREATE INDEX checks_at ON checks USING btree (at)
CREATE INDEX checks_board_id ON checks USING btree (board_id, seq DESC)
CREATE INDEX checks_changed ON checks USING btree (board_id, at DESC) INCLUDE (found, closed, updated, first_reading) WHERE (((found + closed) + updated) > 0)
CREATE INDEX checks_series ON checks USING btree (board_id, at, open_jobs, merged)

TABLE deliveries
	id text NOT NULL
	webhook_id text NOT NULL
	board_id text NOT NULL
	payload_id text NOT NULL
	type text NOT NULL
	state text NOT NULL
	attempts bigint NOT NULL DEFAULT 0
	response_code bigint NOT NULL DEFAULT 0
	error text NOT NULL DEFAULT ''::text
	duration_ms bigint NOT NULL DEFAULT 0
	created_at bigint NOT NULL
	last_attempt_at bigint NOT NULL DEFAULT 0
	next_attempt_at bigint NOT NULL DEFAULT 0
	log text NOT NULL DEFAULT ''::text
	FOREIGN KEY (payload_id) REFERENCES payloads(id)
	FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE
	PRIMARY KEY (id)
CREATE INDEX deliveries_due ON deliveries USING btree (next_attempt_at) WHERE (state = 'pending'::text)
CREATE INDEX deliveries_log ON deliveries USING btree (webhook_id, created_at DESC, id DESC)
CREATE INDEX deliveries_payload_id ON deliveries USING btree (payload_id)
CREATE INDEX deliveries_pending ON deliveries USING btree (webhook_id, next_attempt_at, id) WHERE (state = 'pending'::text)

TABLE former
	account_id text NOT NULL
	board_id text NOT NULL
	FOREIGN KEY (account_id) REFERENCES accounts(id)
	FOREIGN KEY (board_id) REFERENCES boards(id)
	PRIMARY KEY (account_id, board_id)

TABLE guesses
	key text NOT NULL
	until bigint NOT NULL
	PRIMARY KEY (key)
CREATE INDEX guesses_until ON guesses USING btree (until)

TABLE jobs
	seq bigint NOT NULL
	id text NOT NULL
	board_id text NOT NULL
	job_key text NOT NULL
	title text NOT NULL
	title_fold text NOT NULL
	location text NOT NULL
	location_fold text NOT NULL
	department text NOT NULL
	url text NOT NULL
	status smallint NOT NULL
	misses bigint NOT NULL
	first_seen_at bigint NOT NULL
	last_seen_at bigint
	closed_at bigint
	missed_since bigint NOT NULL DEFAULT 0
	mass_loss bigint NOT NULL DEFAULT 0
	testimony text NOT NULL DEFAULT ''::text
	facts text NOT NULL DEFAULT ''::text
	text_hash text NOT NULL DEFAULT ''::text
	stated_at bigint NOT NULL DEFAULT 0
	FOREIGN KEY (board_id) REFERENCES boards(id)
	PRIMARY KEY (seq)
	UNIQUE (id)
CREATE INDEX jobs_closed ON jobs USING btree (board_id, closed_at DESC, id DESC) WHERE (status = 1)
CREATE INDEX jobs_list ON jobs USING btree (board_id, status, first_seen_at DESC, id DESC) INCLUDE (title_fold, location_fold)
CREATE INDEX jobs_missing ON jobs USING btree (board_id) WHERE ((status = 0) AND (last_seen_at IS NOT NULL))
CREATE INDEX jobs_text_closed ON jobs USING btree (closed_at) WHERE ((status = 1) AND (text_hash <> ''::text))
CREATE INDEX jobs_text_hash ON jobs USING btree (text_hash) WHERE (text_hash <> ''::text)
CREATE UNIQUE INDEX jobs_key ON jobs USING btree (board_id, job_key)

TABLE lessons
	board_id text NOT NULL
	asked_at bigint NOT NULL
	taken_until bigint NOT NULL DEFAULT 0
	done boolean NOT NULL DEFAULT false
	lesson text NOT NULL
	FOREIGN KEY (board_id) REFERENCES boards(id) ON DELETE CASCADE
	PRIMARY KEY (board_id)
CREATE INDEX lessons_waiting ON lessons USING btree (asked_at) WHERE (NOT done)

TABLE links
	id text NOT NULL
	kind text NOT NULL
	hash text NOT NULL
	account_id text
	email text NOT NULL
	plan text NOT NULL
	password_hash text NOT NULL
	created_at bigint NOT NULL
	expires_at bigint NOT NULL
	FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	PRIMARY KEY (id)
	UNIQUE (hash)
CREATE INDEX links_account_id ON links USING btree (account_id, kind)
CREATE INDEX links_email ON links USING btree (email, kind)
CREATE INDEX links_expires_at ON links USING btree (expires_at)

TABLE logins
	issuer text NOT NULL
	subject text NOT NULL
	account_id text NOT NULL
	email text NOT NULL
	created_at bigint NOT NULL
	last_used_at bigint NOT NULL
	FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	PRIMARY KEY (issuer, subject)
CREATE INDEX logins_account_id ON logins USING btree (account_id, created_at)

TABLE marks
	account_id text NOT NULL
	job_id text NOT NULL
	starred boolean NOT NULL
	hidden boolean NOT NULL
	applied_on text NOT NULL
	note text NOT NULL
	stage text NOT NULL DEFAULT ''::text
	FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE
	PRIMARY KEY (account_id, job_id)
CREATE INDEX marks_job_id ON marks USING btree (job_id)

TABLE meta
	name text NOT NULL
	value text NOT NULL
	PRIMARY KEY (name)

TABLE misreads
	board_id text NOT NULL
	account_id text NOT NULL
	at bigint NOT NULL
	text text NOT NULL
	titles text NOT NULL
	answer text NOT NULL DEFAULT ''::text
	answered_at bigint NOT NULL DEFAULT 0
	FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	FOREIGN KEY (board_id) REFERENCES boards(id) ON DELETE CASCADE
	PRIMARY KEY (board_id, account_id)
CREATE INDEX misreads_account_id ON misreads USING btree (account_id)
CREATE INDEX misreads_at ON misreads USING btree (at)

TABLE notices
	id text NOT NULL
	account_id text NOT NULL
	lease_until bigint NOT NULL DEFAULT 0
	told_at bigint NOT NULL DEFAULT 0
	FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	PRIMARY KEY (id)
CREATE INDEX notices_account_id ON notices USING btree (account_id)

TABLE oauth_asks
	hash text NOT NULL
	account_id text NOT NULL
	body text NOT NULL
	expires_at bigint NOT NULL
	FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	PRIMARY KEY (hash)
CREATE INDEX oauth_asks_account_id ON oauth_asks USING btree (account_id)
CREATE INDEX oauth_asks_expires_at ON oauth_asks USING btree (expires_at)

TABLE oauth_clients
	id text NOT NULL
	name text NOT NULL
	uri text NOT NULL
	redirect_uris text NOT NULL
	grant_types text NOT NULL
	kind text NOT NULL
	scope text NOT NULL
	created_at bigint NOT NULL
	last_used_at bigint NOT NULL DEFAULT 0
	PRIMARY KEY (id)
CREATE INDEX oauth_clients_last_used_at ON oauth_clients USING btree (last_used_at, created_at)

TABLE oauth_grants
	id text NOT NULL
	account_id text NOT NULL
	client_id text NOT NULL
	client_name text NOT NULL
	host text NOT NULL
	resource text NOT NULL
	scopes text NOT NULL
	created_at bigint NOT NULL
	expires_at bigint NOT NULL
	last_used_at bigint NOT NULL DEFAULT 0
	revoked_at bigint NOT NULL DEFAULT 0
	FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	PRIMARY KEY (id)
CREATE INDEX oauth_grants_account_id ON oauth_grants USING btree (account_id, created_at DESC)
CREATE INDEX oauth_grants_client_id ON oauth_grants USING btree (client_id)
CREATE INDEX oauth_grants_expires_at ON oauth_grants USING btree (expires_at)

TABLE oauth_tokens
	hash text NOT NULL
	kind text NOT NULL
	grant_id text NOT NULL
	scopes text NOT NULL
	redirect_uri text NOT NULL
	challenge text NOT NULL
	created_at bigint NOT NULL
	expires_at bigint NOT NULL
	used_at bigint NOT NULL DEFAULT 0
	FOREIGN KEY (grant_id) REFERENCES oauth_grants(id) ON DELETE CASCADE
	PRIMARY KEY (hash)
CREATE INDEX oauth_tokens_expires_at ON oauth_tokens USING btree (expires_at)
CREATE INDEX oauth_tokens_grant_id ON oauth_tokens USING btree (grant_id, expires_at)

TABLE paces
	host text NOT NULL
	state text NOT NULL DEFAULT '{}'::text
	idle_at bigint NOT NULL DEFAULT 0
	slow_until bigint NOT NULL DEFAULT 0
	PRIMARY KEY (host)
CREATE INDEX paces_slow ON paces USING btree (slow_until) WHERE (slow_until > 0)

TABLE passkeys
	id text NOT NULL
	account_id text NOT NULL
	credential_id text NOT NULL
	name text NOT NULL
	credential bytea NOT NULL
	uses bigint NOT NULL
	created_at bigint NOT NULL
	last_used_at bigint NOT NULL
	FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	PRIMARY KEY (id)
	UNIQUE (credential_id)
CREATE INDEX passkeys_account_id ON passkeys USING btree (account_id, created_at)

TABLE payloads
	id text NOT NULL
	type text NOT NULL
	board_id text NOT NULL
	created_at bigint NOT NULL
	tail bytea NOT NULL
	PRIMARY KEY (id)
CREATE INDEX payloads_created_at ON payloads USING btree (created_at)

TABLE preferences
	account_id text NOT NULL
	digest boolean NOT NULL DEFAULT true
	digest_hour bigint NOT NULL DEFAULT '-1'::integer
	time_zone text NOT NULL DEFAULT ''::text
	notices boolean NOT NULL DEFAULT true
	theme text NOT NULL DEFAULT 'auto'::text
	shortcuts boolean NOT NULL DEFAULT true
	feed_hash text
	feed_token bytea
	digest_at bigint NOT NULL DEFAULT 0
	planned_hour bigint NOT NULL DEFAULT '-1'::integer
	digest_day text NOT NULL DEFAULT ''::text
	digest_until bigint NOT NULL DEFAULT 0
	digest_searches boolean NOT NULL DEFAULT false
	seen_at bigint NOT NULL DEFAULT 0
	looked_at bigint NOT NULL DEFAULT 0
	steps boolean NOT NULL DEFAULT true
	FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	PRIMARY KEY (account_id)
	UNIQUE (feed_hash)
CREATE INDEX preferences_digest_at ON preferences USING btree (digest_at) WHERE digest

TABLE published
	search_id text NOT NULL
	token text NOT NULL
	FOREIGN KEY (search_id) REFERENCES searches(id) ON DELETE CASCADE
	PRIMARY KEY (search_id)
	UNIQUE (token)

TABLE rates
	account_id text NOT NULL
	name text NOT NULL
	used bytea NOT NULL DEFAULT '\x'::bytea
	FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	PRIMARY KEY (account_id, name)

TABLE searches
	id text NOT NULL
	account_id text NOT NULL
	name text NOT NULL
	text text NOT NULL
	location text NOT NULL
	department text NOT NULL
	boards text NOT NULL
	tags text NOT NULL
	kinds text NOT NULL
	created_at bigint NOT NULL
	mode text NOT NULL DEFAULT ''::text
	type text NOT NULL DEFAULT ''::text
	pay_from bigint NOT NULL DEFAULT 0
	currency text NOT NULL DEFAULT ''::text
	words text NOT NULL DEFAULT ''::text
	FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	PRIMARY KEY (id)
CREATE INDEX searches_account_id ON searches USING btree (account_id, created_at, id)

TABLE sessions
	id text NOT NULL
	account_id text NOT NULL
	hash text NOT NULL
	address text NOT NULL
	user_agent text NOT NULL
	created_at bigint NOT NULL
	last_used_at bigint NOT NULL
	way text NOT NULL DEFAULT 'password'::text
	proven_at bigint NOT NULL DEFAULT 0
	FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
	PRIMARY KEY (id)
	UNIQUE (hash)
CREATE INDEX sessions_account_id ON sessions USING btree (account_id, last_used_at DESC)
CREATE INDEX sessions_created_at ON sessions USING btree (created_at)
CREATE INDEX sessions_last_used_at ON sessions USING btree (last_used_at)

TABLE subscriptions
	seq bigint NOT NULL
	account_id text NOT NULL
	board_id text NOT NULL
	locked boolean NOT NULL
	company_name text NOT NULL DEFAULT ''::text
	added_at bigint NOT NULL
	as_of bigint NOT NULL DEFAULT 0
	since bigint NOT NULL DEFAULT 0
	open_then bigint NOT NULL DEFAULT '-1'::integer
	tags text NOT NULL DEFAULT ''::text
	FOREIGN KEY (account_id) REFERENCES accounts(id)
	FOREIGN KEY (board_id) REFERENCES boards(id)
	PRIMARY KEY (seq)
CREATE INDEX subscriptions_board_id ON subscriptions USING btree (board_id)
CREATE INDEX subscriptions_order ON subscriptions USING btree (account_id, locked, added_at, seq)
CREATE UNIQUE INDEX subscriptions_account_id ON subscriptions USING btree (account_id, board_id)

TABLE text_words
	hash text NOT NULL
	words tsvector NOT NULL
	FOREIGN KEY (hash) REFERENCES texts(hash) ON DELETE CASCADE
	PRIMARY KEY (hash)
CREATE INDEX text_words_words ON text_words USING gin (words)

TABLE texts
	hash text NOT NULL
	body bytea NOT NULL
	at bigint NOT NULL
	PRIMARY KEY (hash)

TABLE used_tokens
	hash text NOT NULL
	expires_at bigint NOT NULL
	PRIMARY KEY (hash)
CREATE INDEX used_tokens_expires_at ON used_tokens USING btree (expires_at)

TABLE versions
	job_id text NOT NULL
	at bigint NOT NULL
	facts text NOT NULL
	text_hash text NOT NULL
	FOREIGN KEY (job_id) REFERENCES jobs(id) ON DELETE CASCADE
	PRIMARY KEY (job_id, at)
CREATE INDEX versions_text_hash ON versions USING btree (text_hash) WHERE (text_hash <> ''::text)

TABLE webhooks
	id text NOT NULL
	account_id text NOT NULL
	url text NOT NULL
	events text NOT NULL
	secret bytea NOT NULL
	created_at bigint NOT NULL
	failing_since bigint NOT NULL DEFAULT 0
	disabled_at bigint NOT NULL DEFAULT 0
	disabled_reason text NOT NULL DEFAULT ''::text
	lease_until bigint NOT NULL DEFAULT 0
	lease_token text NOT NULL DEFAULT ''::text
	name text NOT NULL DEFAULT ''::text
	channel text NOT NULL DEFAULT ''::text
	searches text NOT NULL DEFAULT ''::text
	all_changes boolean NOT NULL DEFAULT false
	failures boolean NOT NULL DEFAULT false
	tested text NOT NULL DEFAULT ''::text
	FOREIGN KEY (account_id) REFERENCES accounts(id)
	PRIMARY KEY (id)
CREATE INDEX webhooks_account_id ON webhooks USING btree (account_id)
CREATE INDEX webhooks_disabled ON webhooks USING btree (id) WHERE (disabled_at > 0)

CREATE OR REPLACE FUNCTION boardwatch_horizon()
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
DECLARE
	moment BIGINT;
	mark BIGINT;
	oldest BIGINT;
BEGIN
	moment := boardwatch_now() - 1;
	SELECT last_value INTO mark FROM boardwatch_mark;
	IF moment > mark + 250 AND pg_try_advisory_xact_lock((25208::BIGINT << 48) + 3) THEN
		SELECT last_value INTO mark FROM boardwatch_mark;
		IF moment > mark THEN
			PERFORM setval('boardwatch_mark', moment);
			mark := moment;
		END IF;
	END IF;
	SELECT min(((classid::BIGINT & 65535) << 32) | objid::BIGINT) INTO oldest
	FROM pg_locks
	WHERE locktype = 'advisory' AND objsubid = 1 AND classid::BIGINT >> 16 = 25207
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database());
	RETURN least(mark, oldest - 1);
END
$function$

CREATE OR REPLACE FUNCTION boardwatch_now()
 RETURNS bigint
 LANGUAGE sql
AS $function$
	SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::BIGINT
$function$

CREATE OR REPLACE FUNCTION boardwatch_stamp()
 RETURNS bigint
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO '$user', 'public'
AS $function$
DECLARE
	moves BOOLEAN;
	mark BIGINT;
	stamp BIGINT;
BEGIN
	moves := current_setting('synchronous_commit') <> 'off' AND pg_try_advisory_xact_lock((25208::BIGINT << 48) + 3);
	SELECT last_value INTO mark FROM boardwatch_mark;
	stamp := greatest(boardwatch_now(), mark + 1);
	PERFORM pg_advisory_xact_lock_shared((25207::BIGINT << 48) | CASE WHEN moves THEN mark + 1 ELSE stamp END);
	stamp := greatest(stamp, boardwatch_now(), (SELECT last_value + 1 FROM boardwatch_mark));
	IF moves AND stamp <= boardwatch_now() THEN
		PERFORM setval('boardwatch_mark', stamp);
	END IF;
	RETURN stamp;
END
$function$
