-- Written by scripts/dump-schema.mjs from the migrations. Not to be edited.

create extension pg_trgm;

create extension unaccent;

create type price_cell as (day date, product_id integer, market_id integer, currency text, lane smallint);

create table account_link (
  hash bytea not null,
  user_id integer not null,
  purpose text not null,
  email text not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint account_link_pkey PRIMARY KEY (hash),
  constraint account_link_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint account_link_email_length CHECK (length(email) >= 3 AND length(email) <= 254),
  constraint account_link_purpose_known CHECK (purpose = ANY (ARRAY['reset'::text, 'verify'::text, 'google'::text]))
);
CREATE INDEX account_link_by_user ON account_link USING btree (user_id, purpose, created_at);
CREATE INDEX account_link_expiry ON account_link USING btree (expires_at);

create table agent_market (
  user_id integer not null,
  market_id integer not null,
  constraint agent_market_pkey PRIMARY KEY (user_id, market_id),
  constraint agent_market_market_fkey FOREIGN KEY (market_id) REFERENCES market(id) ON DELETE CASCADE,
  constraint agent_market_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
);
CREATE INDEX agent_market_market ON agent_market USING btree (market_id);

create table alert_due (
  product_id integer not null,
  market_id integer not null
);

create table alert_event (
  id bigint not null generated always as identity,
  user_id integer not null,
  rule_id bigint,
  product_id integer not null,
  market_id integer not null,
  sentence text not null,
  price numeric(20,2) not null,
  day date not null,
  quotes integer not null,
  created_at timestamptz(3) not null default now(),
  read_at timestamptz(3),
  short text not null default ''::text,
  constraint alert_event_pkey PRIMARY KEY (id),
  constraint alert_event_market_fkey FOREIGN KEY (market_id) REFERENCES market(id) ON DELETE CASCADE,
  constraint alert_event_product_fkey FOREIGN KEY (product_id) REFERENCES product(id) ON DELETE CASCADE,
  constraint alert_event_rule_fkey FOREIGN KEY (rule_id) REFERENCES alert_rule(id) ON DELETE SET NULL,
  constraint alert_event_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
);
CREATE INDEX alert_event_by_market ON alert_event USING btree (market_id);
CREATE INDEX alert_event_by_product ON alert_event USING btree (product_id);
CREATE INDEX alert_event_by_rule ON alert_event USING btree (rule_id);
CREATE INDEX alert_event_by_user ON alert_event USING btree (user_id, created_at);

create table alert_notice (
  event_id bigint not null,
  channel text not null,
  state text not null,
  sent_at timestamptz(3),
  constraint alert_notice_pkey PRIMARY KEY (event_id, channel),
  constraint alert_notice_event_fkey FOREIGN KEY (event_id) REFERENCES alert_event(id) ON DELETE CASCADE,
  constraint alert_notice_channel_known CHECK (channel = ANY (ARRAY['mail'::text, 'telegram'::text, 'sms'::text, 'whatsapp'::text])),
  constraint alert_notice_state_known CHECK (state = ANY (ARRAY['waiting'::text, 'sent'::text, 'none'::text]))
);
CREATE INDEX alert_notice_waiting ON alert_notice USING btree (channel, event_id) WHERE state = 'waiting'::text;

create table alert_reading (
  is_only boolean not null default true,
  cursor text,
  silences_on date,
  constraint alert_reading_pkey PRIMARY KEY (is_only),
  constraint alert_reading_one CHECK (is_only)
);

create table alert_rule (
  id bigint not null generated always as identity,
  user_id integer not null,
  product_id integer not null,
  market_id integer,
  kind text not null,
  direction text not null,
  threshold numeric(14,2) not null,
  period_days integer not null,
  channels text[] not null,
  muted_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint alert_rule_pkey PRIMARY KEY (id),
  constraint alert_rule_market_fkey FOREIGN KEY (market_id) REFERENCES market(id) ON DELETE CASCADE,
  constraint alert_rule_product_fkey FOREIGN KEY (product_id) REFERENCES product(id) ON DELETE CASCADE,
  constraint alert_rule_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint alert_rule_direction_known CHECK (direction = ANY (ARRAY['above'::text, 'below'::text])),
  constraint alert_rule_kind_known CHECK (kind = ANY (ARRAY['level'::text, 'change'::text, 'unusual'::text, 'silence'::text])),
  constraint alert_rule_period_known CHECK (period_days = ANY (ARRAY[7, 30, 90, 365])),
  constraint alert_rule_threshold_positive CHECK (threshold > 0::numeric)
);
CREATE INDEX alert_rule_by_market ON alert_rule USING btree (market_id);
CREATE INDEX alert_rule_by_product ON alert_rule USING btree (product_id, market_id);
CREATE INDEX alert_rule_by_user ON alert_rule USING btree (user_id);
CREATE TRIGGER alert_rule_touch BEFORE UPDATE ON alert_rule FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

create table alert_state (
  rule_id bigint not null,
  market_id integer not null,
  is_ringing boolean not null,
  rang_at timestamptz(3),
  constraint alert_state_pkey PRIMARY KEY (rule_id, market_id),
  constraint alert_state_market_fkey FOREIGN KEY (market_id) REFERENCES market(id) ON DELETE CASCADE,
  constraint alert_state_rule_fkey FOREIGN KEY (rule_id) REFERENCES alert_rule(id) ON DELETE CASCADE
);
CREATE INDEX alert_state_by_market ON alert_state USING btree (market_id);

create table api_call (
  key_id integer not null,
  day date not null,
  calls integer not null,
  constraint api_call_pkey PRIMARY KEY (key_id, day),
  constraint api_call_key_fkey FOREIGN KEY (key_id) REFERENCES api_key(id) ON DELETE CASCADE,
  constraint api_call_calls_positive CHECK (calls > 0)
);

create table api_key (
  id integer not null generated always as identity,
  user_id integer not null,
  name text not null,
  hash bytea not null,
  prefix text not null,
  scopes text[] not null,
  version date not null,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  is_read_only boolean not null default false,
  constraint api_key_pkey PRIMARY KEY (id),
  constraint api_key_hash_key UNIQUE (hash),
  constraint api_key_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint api_key_name_length CHECK (length(name) >= 1 AND length(name) <= 100),
  constraint api_key_prefix_length CHECK (length(prefix) >= 1 AND length(prefix) <= 40),
  constraint api_key_scopes_count CHECK (cardinality(scopes) >= 1 AND cardinality(scopes) <= 20)
);
CREATE INDEX api_key_user ON api_key USING btree (user_id);
CREATE TRIGGER api_key_access AFTER DELETE OR UPDATE OF revoked_at ON api_key FOR EACH ROW EXECUTE FUNCTION notify_access_changed();

create table api_usage (
  user_id integer not null,
  "window" text not null,
  starts_at timestamptz not null,
  used integer not null,
  constraint api_usage_pkey PRIMARY KEY (user_id, "window"),
  constraint api_usage_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint api_usage_used_positive CHECK (used >= 0),
  constraint api_usage_window_known CHECK ("window" = ANY (ARRAY['minute'::text, 'month'::text]))
);

create table app_user (
  id integer not null generated always as identity,
  name text not null,
  email text not null,
  password_hash text,
  status text not null default 'ACTIVE'::text,
  location text,
  avatar_url text,
  auth_provider text not null default 'LOCAL'::text,
  email_verified boolean not null default false,
  first_signed_in_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  google_sub text,
  constraint app_user_pkey PRIMARY KEY (id),
  constraint app_user_email_length CHECK (length(email) >= 3 AND length(email) <= 254),
  constraint app_user_google_sub_length CHECK (length(google_sub) >= 1 AND length(google_sub) <= 255),
  constraint app_user_location_length CHECK (length(location) <= 200),
  constraint app_user_name_length CHECK (length(name) >= 1 AND length(name) <= 200),
  constraint app_user_provider_known CHECK (auth_provider = ANY (ARRAY['LOCAL'::text, 'GOOGLE'::text])),
  constraint app_user_status_known CHECK (status = ANY (ARRAY['ACTIVE'::text, 'INACTIVE'::text, 'SUSPENDED'::text, 'PENDING'::text, 'BANNED'::text]))
);
CREATE UNIQUE INDEX app_user_email_key ON app_user USING btree (lower(email));
CREATE UNIQUE INDEX app_user_google_sub_key ON app_user USING btree (google_sub);
CREATE INDEX app_user_search ON app_user USING gin (fold((((name || ' '::text) || email) || ' '::text) || COALESCE(location, ''::text)) gin_trgm_ops);
CREATE INDEX app_user_status ON app_user USING btree (status, id);
CREATE TRIGGER app_user_access AFTER DELETE OR UPDATE ON app_user FOR EACH ROW EXECUTE FUNCTION notify_access_changed();
CREATE TRIGGER app_user_free_trial AFTER INSERT OR UPDATE OF email, email_verified ON app_user FOR EACH ROW WHEN (new.email !~~ '%@compte.invalid'::text) EXECUTE FUNCTION note_free_trial();
CREATE TRIGGER app_user_touch BEFORE UPDATE ON app_user FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

create table audit_check (
  id bigint not null generated always as identity,
  at timestamptz(3) not null default now(),
  links bigint not null,
  erased bigint not null,
  head bytea not null,
  entry_id bigint,
  fault text,
  constraint audit_check_pkey PRIMARY KEY (id),
  constraint audit_check_fault_known CHECK (fault = ANY (ARRAY['altered'::text, 'missing'::text, 'cut'::text, 'unlinked'::text]))
);

create table audit_entry (
  id bigint not null generated always as identity,
  at timestamptz(3) not null default now(),
  user_id integer,
  action text not null,
  entity text not null,
  entity_id bigint,
  before jsonb,
  after jsonb,
  request_id text,
  address text,
  user_agent text,
  erased_at timestamptz(3),
  constraint audit_entry_pkey PRIMARY KEY (id),
  constraint audit_entry_action_length CHECK (length(action) >= 1 AND length(action) <= 50),
  constraint audit_entry_entity_length CHECK (length(entity) >= 1 AND length(entity) <= 50)
);
CREATE INDEX audit_entry_at ON audit_entry USING btree (at);
CREATE INDEX audit_entry_subject ON audit_entry USING btree (entity, entity_id, id);
CREATE INDEX audit_entry_user ON audit_entry USING btree (user_id, id);
CREATE TRIGGER audit_entry_as_written BEFORE UPDATE ON audit_entry FOR EACH ROW EXECUTE FUNCTION refuse_change_of_audit();
CREATE TRIGGER audit_entry_kept BEFORE DELETE OR TRUNCATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit();

create table audit_link (
  "position" bigint not null,
  entry_id bigint not null,
  salt bytea,
  values_digest bytea not null,
  hash bytea not null,
  constraint audit_link_pkey PRIMARY KEY ("position"),
  constraint audit_link_entry_key UNIQUE (entry_id)
);
CREATE TRIGGER audit_link_as_written BEFORE UPDATE ON audit_link FOR EACH ROW EXECUTE FUNCTION refuse_change_of_link();
CREATE TRIGGER audit_link_kept BEFORE DELETE OR TRUNCATE ON audit_link FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_link();

create table billing_details (
  user_id integer not null,
  name text not null,
  address text,
  tax_number text,
  email text not null,
  updated_at timestamptz(3) not null default now(),
  constraint billing_details_pkey PRIMARY KEY (user_id),
  constraint billing_details_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint billing_details_address_length CHECK (length(address) <= 500),
  constraint billing_details_email_length CHECK (length(email) <= 254),
  constraint billing_details_name_length CHECK (length(name) <= 200),
  constraint billing_details_tax_number_length CHECK (length(tax_number) <= 60)
);

create table billing_terms (
  id boolean not null default true,
  seller jsonb not null default '{"name": "Ntalo"}'::jsonb,
  vat_rate numeric(5,2) not null default 0,
  vat_text text not null default 'TVA non applicable'::text,
  payment_terms text not null default 'Payée d’avance, par période.'::text,
  constraint billing_terms_pkey PRIMARY KEY (id),
  constraint billing_terms_is_one CHECK (id),
  constraint billing_terms_vat_rate_range CHECK (vat_rate >= 0::numeric AND vat_rate <= 100::numeric)
);

create table brand (
  id integer not null generated always as identity,
  name text not null,
  country text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint brand_pkey PRIMARY KEY (id),
  constraint brand_country_length CHECK (length(country) >= 1 AND length(country) <= 200),
  constraint brand_name_length CHECK (length(name) >= 1 AND length(name) <= 200)
);
CREATE INDEX brand_by_country ON brand USING btree (fold(country));
CREATE INDEX brand_by_name ON brand USING btree (name COLLATE "fr-x-icu", id);
CREATE UNIQUE INDEX brand_name_key ON brand USING btree (fold(name));
CREATE INDEX brand_search ON brand USING gin (fold(name) gin_trgm_ops);
CREATE TRIGGER brand_shown AFTER UPDATE OF name, country ON brand FOR EACH ROW WHEN (old.name IS DISTINCT FROM new.name OR old.country IS DISTINCT FROM new.country) EXECUTE FUNCTION note_shown_by_products();
CREATE TRIGGER brand_touch BEFORE UPDATE ON brand FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

create table category (
  id integer not null generated always as identity,
  name text not null,
  description text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint category_pkey PRIMARY KEY (id),
  constraint category_description_length CHECK (length(description) <= 1000),
  constraint category_name_length CHECK (length(name) >= 1 AND length(name) <= 200)
);
CREATE UNIQUE INDEX category_name_key ON category USING btree (fold(name));
CREATE INDEX category_search ON category USING gin (fold(name) gin_trgm_ops);
CREATE TRIGGER category_shown AFTER UPDATE OF name ON category FOR EACH ROW WHEN (old.name IS DISTINCT FROM new.name) EXECUTE FUNCTION note_shown_by_products();
CREATE TRIGGER category_touch BEFORE UPDATE ON category FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

create table channel_address (
  id integer not null generated always as identity,
  user_id integer not null,
  channel text not null,
  address text,
  confirmed_at timestamptz(3),
  stopped_at timestamptz(3),
  stopped_because text,
  wanted_address text,
  proof bytea,
  proof_until timestamptz(3),
  tries integer not null default 0,
  created_at timestamptz(3) not null default now(),
  constraint channel_address_pkey PRIMARY KEY (id),
  constraint channel_address_one UNIQUE (user_id, channel),
  constraint channel_address_owner UNIQUE (channel, address),
  constraint channel_address_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint channel_address_channel_known CHECK (channel = ANY (ARRAY['telegram'::text, 'sms'::text, 'whatsapp'::text])),
  constraint channel_address_reason_known CHECK (stopped_because = ANY (ARRAY['asked'::text, 'unreachable'::text]))
);
CREATE INDEX channel_address_by_proof ON channel_address USING btree (proof) WHERE proof IS NOT NULL;

create table collection_entry (
  id bigint not null generated always as identity,
  client_id uuid not null,
  user_id integer,
  device text not null,
  market_id integer not null,
  product_id integer not null,
  kind text not null,
  reason text,
  is_blind boolean not null,
  body_hash bytea not null,
  device_at timestamptz(3) not null,
  captured_at timestamptz(3) not null,
  received_at timestamptz(3) not null default now(),
  price_id bigint,
  is_replaced boolean not null default false,
  answers bigint,
  constraint collection_entry_pkey PRIMARY KEY (id),
  constraint collection_entry_client_key UNIQUE (client_id),
  constraint collection_entry_market_fkey FOREIGN KEY (market_id) REFERENCES market(id) ON DELETE CASCADE,
  constraint collection_entry_product_fkey FOREIGN KEY (product_id) REFERENCES product(id) ON DELETE CASCADE,
  constraint collection_entry_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint collection_entry_device_length CHECK (length(device) <= 64),
  constraint collection_entry_kind_known CHECK ((kind = ANY (ARRAY['typed'::text, 'unchanged'::text, 'absent'::text])) OR kind = 'withdrawn'::text AND answers IS NOT NULL),
  constraint collection_entry_reason_known CHECK (reason IS NULL OR kind = 'absent'::text AND (reason = ANY (ARRAY['rupture'::text, 'saison'::text, 'refus'::text, 'marché fermé'::text])))
);
CREATE INDEX collection_entry_product ON collection_entry USING btree (product_id);
CREATE INDEX collection_entry_series ON collection_entry USING btree (market_id, product_id, captured_at);
CREATE INDEX collection_entry_user ON collection_entry USING btree (user_id, captured_at);

create table contact_message (
  id integer not null generated always as identity,
  name text not null,
  email text not null,
  subject text,
  message text not null,
  is_handled boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  is_noted boolean not null default false,
  constraint contact_message_pkey PRIMARY KEY (id),
  constraint contact_message_email_length CHECK (length(email) >= 3 AND length(email) <= 254),
  constraint contact_message_length CHECK (length(message) >= 1 AND length(message) <= 5000),
  constraint contact_message_name_length CHECK (length(name) >= 1 AND length(name) <= 200),
  constraint contact_message_subject_length CHECK (length(subject) <= 200)
);
CREATE INDEX contact_message_by_time ON contact_message USING btree (created_at DESC, id DESC);
CREATE INDEX contact_message_search ON contact_message USING gin (fold((((((name || ' '::text) || email) || ' '::text) || COALESCE(subject, ''::text)) || ' '::text) || message) gin_trgm_ops);
CREATE TRIGGER contact_message_touch BEFORE UPDATE ON contact_message FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

create table deposit (
  id uuid not null,
  payment_id integer not null,
  phone text,
  operator text,
  state text not null default 'created'::text,
  failure_code text,
  provider_ref text,
  next_check_at timestamptz(3),
  attempts integer not null default 0,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  provider text,
  page_url text,
  left_as text,
  open_with integer[] not null default '{}'::integer[],
  constraint deposit_pkey PRIMARY KEY (id),
  constraint deposit_payment_key UNIQUE (payment_id),
  constraint deposit_payment_fkey FOREIGN KEY (payment_id) REFERENCES payment(id),
  constraint deposit_by_phone_or_page CHECK ((phone IS NULL) = (operator IS NULL)),
  constraint deposit_failure_code_length CHECK (length(failure_code) <= 100),
  constraint deposit_left_as_known CHECK (left_as = ANY (ARRAY['cancelled'::text, 'declined'::text])),
  constraint deposit_operator_known CHECK (operator = ANY (ARRAY['MPESA'::text, 'AIRTEL'::text, 'ORANGE'::text])),
  constraint deposit_page_url_length CHECK (length(page_url) <= 2000),
  constraint deposit_page_without_phone CHECK (phone IS NULL OR page_url IS NULL AND left_as IS NULL),
  constraint deposit_phone_digits CHECK (phone ~ '^\d{9,15}$'::text),
  constraint deposit_provider_known CHECK (provider = ANY (ARRAY['pawapay'::text, 'flexpay'::text, 'flexpay-card'::text])),
  constraint deposit_provider_ref_length CHECK (length(provider_ref) <= 200),
  constraint deposit_state_known CHECK (state = ANY (ARRAY['created'::text, 'pending'::text, 'succeeded'::text, 'failed'::text, 'unverified'::text, 'review'::text]))
);
CREATE INDEX deposit_due ON deposit USING btree (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE TRIGGER deposit_touch BEFORE UPDATE ON deposit FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

create table device_key (
  session_id bigint not null,
  public_key bytea not null,
  name text not null,
  counter bigint not null default 0,
  last_used_at timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now(),
  constraint device_key_pkey PRIMARY KEY (session_id),
  constraint device_key_session_fkey FOREIGN KEY (session_id) REFERENCES session(id) ON DELETE CASCADE,
  constraint device_key_name_length CHECK (length(name) >= 1 AND length(name) <= 100),
  constraint device_key_public_key_size CHECK (octet_length(public_key) >= 50 AND octet_length(public_key) <= 200)
);

create table early_receipt (
  provider text not null,
  reference text not null,
  state text not null,
  created_at timestamptz(3) not null default now(),
  constraint early_receipt_pkey PRIMARY KEY (provider, reference),
  constraint early_receipt_state_known CHECK (state = ANY (ARRAY['delivered'::text, 'failed'::text]))
);

create table edition (
  number integer not null,
  month date not null,
  rows bigint not null,
  method text not null,
  files jsonb not null,
  superseded_by integer,
  created_at timestamptz(3) not null default now(),
  constraint edition_pkey PRIMARY KEY (number),
  constraint edition_superseded_fkey FOREIGN KEY (superseded_by) REFERENCES edition(number) DEFERRABLE INITIALLY DEFERRED,
  constraint edition_month_begins CHECK (EXTRACT(day FROM month) = 1::numeric),
  constraint edition_number_positive CHECK (number > 0),
  constraint edition_rows_positive CHECK (rows > 0)
);
CREATE UNIQUE INDEX edition_current ON edition USING btree (month) WHERE superseded_by IS NULL;
CREATE TRIGGER edition_stays BEFORE DELETE OR UPDATE ON edition FOR EACH ROW EXECUTE FUNCTION keep_edition();

create table exchange_rate (
  day date not null,
  cdf_per_usd numeric(14,6) not null,
  log_rate bigint not null generated always as ((round((ln((cdf_per_usd)::double precision) * ('1000000000000'::numeric)::double precision)))::bigint) stored,
  source text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  id integer not null generated always as identity,
  constraint exchange_rate_pkey PRIMARY KEY (day),
  constraint exchange_rate_id_key UNIQUE (id),
  constraint exchange_rate_positive CHECK (cdf_per_usd > 0::numeric),
  constraint exchange_rate_source_length CHECK (length(source) <= 200)
);
CREATE TRIGGER exchange_rate_added AFTER INSERT ON exchange_rate REFERENCING NEW TABLE AS new_rate FOR EACH STATEMENT EXECUTE FUNCTION recompute_cells_of_added_rates();
CREATE TRIGGER exchange_rate_changed AFTER UPDATE ON exchange_rate REFERENCING OLD TABLE AS old_rate NEW TABLE AS new_rate FOR EACH STATEMENT EXECUTE FUNCTION recompute_cells_of_changed_rates();
CREATE TRIGGER exchange_rate_hold BEFORE INSERT OR DELETE OR UPDATE ON exchange_rate FOR EACH STATEMENT EXECUTE FUNCTION hold_rates();
CREATE TRIGGER exchange_rate_removed AFTER DELETE ON exchange_rate REFERENCING OLD TABLE AS old_rate FOR EACH STATEMENT EXECUTE FUNCTION recompute_cells_of_removed_rates();
CREATE TRIGGER exchange_rate_told AFTER INSERT OR DELETE OR UPDATE ON exchange_rate FOR EACH ROW EXECUTE FUNCTION tell_of_rates();
CREATE TRIGGER exchange_rate_touch BEFORE UPDATE ON exchange_rate FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

create table follow (
  id bigint not null generated always as identity,
  user_id integer not null,
  product_id integer,
  market_id integer,
  created_at timestamptz(3) not null default now(),
  constraint follow_pkey PRIMARY KEY (id),
  constraint follow_once UNIQUE NULLS NOT DISTINCT (user_id, product_id, market_id),
  constraint follow_market_fkey FOREIGN KEY (market_id) REFERENCES market(id) ON DELETE CASCADE,
  constraint follow_product_fkey FOREIGN KEY (product_id) REFERENCES product(id) ON DELETE CASCADE,
  constraint follow_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint follow_of_something CHECK (num_nonnulls(product_id, market_id) > 0)
);
CREATE INDEX follow_by_market ON follow USING btree (market_id);
CREATE INDEX follow_by_product ON follow USING btree (product_id);

create table free_trial (
  hash bytea not null,
  user_id integer,
  is_confirmed boolean not null,
  constraint free_trial_pkey PRIMARY KEY (hash),
  constraint free_trial_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE SET NULL
);
CREATE INDEX free_trial_user ON free_trial USING btree (user_id);
CREATE TRIGGER free_trial_access AFTER UPDATE ON free_trial FOR EACH ROW WHEN (old.user_id IS DISTINCT FROM new.user_id AND old.user_id IS NOT NULL) EXECUTE FUNCTION notify_free_trial_lost();

create table idempotent_request (
  user_id integer not null,
  key text not null,
  fingerprint bytea not null,
  answer jsonb,
  created_at timestamptz(3) not null default now(),
  constraint idempotent_request_pkey PRIMARY KEY (user_id, key),
  constraint idempotent_request_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint idempotent_request_key_length CHECK (length(key) >= 1 AND length(key) <= 255)
);
CREATE INDEX idempotent_request_by_age ON idempotent_request USING btree (created_at);

create table import (
  id integer not null generated always as identity,
  kind text not null,
  file_name text not null,
  file_bytes bigint not null,
  stored_as uuid,
  currency_map jsonb not null default '{}'::jsonb,
  state text not null default 'checking'::text,
  stage text,
  rows_read bigint not null default 0,
  bytes_read bigint not null default 0,
  report jsonb,
  failure text,
  first_price_id bigint,
  last_price_id bigint,
  created jsonb,
  author_id integer,
  author_name text,
  request_id text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  actor_id integer,
  actor_name text,
  table_head jsonb,
  mapping jsonb,
  constraint import_pkey PRIMARY KEY (id),
  constraint import_actor_fkey FOREIGN KEY (actor_id) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint import_author_fkey FOREIGN KEY (author_id) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint import_file_name_length CHECK (length(file_name) >= 1 AND length(file_name) <= 255),
  constraint import_kind_known CHECK (kind = ANY (ARRAY['prices'::text, 'products'::text, 'rates'::text])),
  constraint import_state_known CHECK (state = ANY (ARRAY['checking'::text, 'unmapped'::text, 'checked'::text, 'writing'::text, 'done'::text, 'undoing'::text, 'undone'::text, 'abandoned'::text, 'failed'::text]))
);
CREATE INDEX import_by_actor ON import USING btree (actor_id);
CREATE INDEX import_by_author ON import USING btree (author_id);
CREATE TRIGGER import_touch BEFORE UPDATE ON import FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

create table import_mapping (
  id integer not null generated always as identity,
  kind text not null,
  name text not null,
  titles text[] not null,
  content jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint import_mapping_pkey PRIMARY KEY (id),
  constraint import_mapping_kind_known CHECK (kind = ANY (ARRAY['prices'::text, 'products'::text])),
  constraint import_mapping_name_length CHECK (length(name) >= 1 AND length(name) <= 100)
);
CREATE UNIQUE INDEX import_mapping_name_key ON import_mapping USING btree (fold(name));
CREATE TRIGGER import_mapping_touch BEFORE UPDATE ON import_mapping FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

create table installation (
  id boolean not null default true,
  has_demonstration_data boolean not null default false,
  trial_key bytea not null default (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())),
  clock_accepted_entry bigint not null default 0,
  constraint installation_pkey PRIMARY KEY (id),
  constraint installation_single CHECK (id)
);

create table invoice (
  id integer not null generated always as identity,
  kind text not null,
  year integer not null,
  rank integer not null,
  number text not null generated always as ((((
CASE kind
    WHEN 'invoice'::text THEN ''::text
    ELSE 'AV-'::text
END || (year)::text) || '-'::text) || lpad((rank)::text, GREATEST(6, length((rank)::text)), '0'::text))) stored,
  payment_id integer not null,
  corrects_id integer,
  user_id integer not null,
  issued_at timestamptz(3) not null,
  plan text,
  billing_period text,
  period_start timestamptz(3),
  period_end timestamptz(3),
  amount numeric(14,2) not null,
  currency text not null,
  vat_rate numeric(5,2) not null,
  vat_amount numeric(14,2) not null,
  vat_text text not null,
  payment_terms text not null,
  seller jsonb not null,
  buyer jsonb not null,
  payment_method text not null,
  reference text,
  reason text,
  constraint invoice_pkey PRIMARY KEY (id),
  constraint invoice_number_unique UNIQUE (number),
  constraint invoice_once UNIQUE (payment_id, kind),
  constraint invoice_rank_unique UNIQUE (kind, year, rank),
  constraint invoice_corrects_id_fkey FOREIGN KEY (corrects_id) REFERENCES invoice(id),
  constraint invoice_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id),
  constraint invoice_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint invoice_kind_known CHECK (kind = ANY (ARRAY['invoice'::text, 'credit_note'::text]))
);
CREATE INDEX invoice_by_day ON invoice USING btree (issued_at, id);
CREATE INDEX invoice_by_user ON invoice USING btree (user_id, id);
CREATE TRIGGER invoice_is_frozen BEFORE DELETE OR UPDATE ON invoice FOR EACH ROW EXECUTE FUNCTION refuse_invoice_change();

create table invoice_counter (
  kind text not null,
  year integer not null,
  last integer not null,
  constraint invoice_counter_pkey PRIMARY KEY (kind, year)
);

create table job (
  id bigint not null generated always as identity,
  task text not null,
  payload jsonb not null default '{}'::jsonb,
  schedule text,
  run_at timestamptz(3) not null default now(),
  attempts smallint not null default 0,
  last_error text,
  created_at timestamptz(3) not null default now(),
  constraint job_pkey PRIMARY KEY (id),
  constraint job_schedule_key UNIQUE (schedule),
  constraint job_task_length CHECK (length(task) >= 1 AND length(task) <= 100)
);
CREATE INDEX job_by_time ON job USING btree (run_at, id);
CREATE INDEX job_failing ON job USING btree (task) WHERE attempts >= 3;
CREATE TRIGGER job_added AFTER INSERT ON job FOR EACH STATEMENT EXECUTE FUNCTION notify_job_added();

create table known_device (
  user_id integer not null,
  hash bytea not null,
  expires_at timestamptz(3) not null,
  constraint known_device_pkey PRIMARY KEY (hash, user_id),
  constraint known_device_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
);
CREATE INDEX known_device_expiry ON known_device USING btree (expires_at);
CREATE INDEX known_device_user ON known_device USING btree (user_id);

create table made_report (
  id integer not null generated always as identity,
  user_id integer not null,
  asked jsonb not null,
  state text not null default 'waiting'::text,
  file_name text not null,
  pdf bytea,
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3),
  sha256 text,
  constraint made_report_pkey PRIMARY KEY (id),
  constraint made_report_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint made_report_done_has_pdf CHECK ((state = 'done'::text) = (pdf IS NOT NULL OR sha256 IS NOT NULL)),
  constraint made_report_file_name_length CHECK (length(file_name) >= 1 AND length(file_name) <= 100),
  constraint made_report_state_known CHECK (state = ANY (ARRAY['waiting'::text, 'drawing'::text, 'done'::text, 'failed'::text]))
);
CREATE INDEX made_report_by_content ON made_report USING btree (sha256) WHERE sha256 IS NOT NULL;
CREATE INDEX made_report_unfinished_idx ON made_report USING btree (id) WHERE state = ANY (ARRAY['waiting'::text, 'drawing'::text]);
CREATE INDEX made_report_user_idx ON made_report USING btree (user_id, id DESC);

create table market (
  id integer not null generated always as identity,
  name text not null,
  location text not null,
  province text,
  latitude numeric(8,5),
  longitude numeric(8,5),
  time_zone text not null default 'Africa/Kinshasa'::text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint market_pkey PRIMARY KEY (id),
  constraint market_coordinates_paired CHECK ((latitude IS NULL) = (longitude IS NULL)),
  constraint market_latitude_range CHECK (latitude >= '-90'::integer::numeric AND latitude <= 90::numeric),
  constraint market_location_length CHECK (length(location) >= 1 AND length(location) <= 200),
  constraint market_longitude_range CHECK (longitude >= '-180'::integer::numeric AND longitude <= 180::numeric),
  constraint market_name_length CHECK (length(name) >= 1 AND length(name) <= 200),
  constraint market_province_length CHECK (length(province) >= 1 AND length(province) <= 100),
  constraint market_time_zone_known CHECK (time_zone = ANY (ARRAY['Africa/Kinshasa'::text, 'Africa/Lubumbashi'::text]))
);
CREATE INDEX market_by_location ON market USING btree (fold(location));
CREATE INDEX market_by_name ON market USING btree (name COLLATE "fr-x-icu", id);
CREATE UNIQUE INDEX market_name_key ON market USING btree (fold(name), fold(location));
CREATE INDEX market_search ON market USING gin (fold((name || ' '::text) || location) gin_trgm_ops);
CREATE TRIGGER market_in_index AFTER UPDATE OF location, province ON market FOR EACH ROW WHEN (old.location IS DISTINCT FROM new.location OR old.province IS DISTINCT FROM new.province) EXECUTE FUNCTION mark_all_days();
CREATE TRIGGER market_in_month AFTER UPDATE OF location, province ON market FOR EACH ROW WHEN (old.location IS DISTINCT FROM new.location OR old.province IS DISTINCT FROM new.province) EXECUTE FUNCTION mark_all_months();
CREATE TRIGGER market_noted AFTER INSERT OR DELETE OR UPDATE ON market FOR EACH ROW EXECUTE FUNCTION note_row_change();
CREATE TRIGGER market_time_zone_changed AFTER UPDATE OF time_zone ON market FOR EACH ROW WHEN (old.time_zone <> new.time_zone) EXECUTE FUNCTION keep_local_days();
CREATE TRIGGER market_touch BEFORE UPDATE ON market FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

create table market_list (
  market_id integer not null,
  product_id integer not null,
  quotes_wanted smallint not null default 1,
  created_at timestamptz(3) not null default now(),
  constraint market_list_pkey PRIMARY KEY (market_id, product_id),
  constraint market_list_market_fkey FOREIGN KEY (market_id) REFERENCES market(id) ON DELETE CASCADE,
  constraint market_list_product_fkey FOREIGN KEY (product_id) REFERENCES product(id) ON DELETE CASCADE,
  constraint market_list_quotes_range CHECK (quotes_wanted >= 1 AND quotes_wanted <= 20)
);
CREATE INDEX market_list_product ON market_list USING btree (product_id);

create table merged_product (
  id integer not null,
  product_id integer not null,
  constraint merged_product_pkey PRIMARY KEY (id),
  constraint merged_product_product_fkey FOREIGN KEY (product_id) REFERENCES product(id) ON DELETE CASCADE
);
CREATE INDEX merged_product_product ON merged_product USING btree (product_id);

create table notification_choice (
  user_id integer not null,
  kind text not null,
  is_wanted boolean not null,
  constraint notification_choice_pkey PRIMARY KEY (user_id, kind),
  constraint notification_choice_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint notification_choice_kind_known CHECK (kind = ANY (ARRAY['subscription-reminders'::text, 'price-alerts'::text, 'sign-ins'::text]))
);

create table outgoing_mail (
  id bigint not null generated always as identity,
  key uuid not null default uuidv7(),
  recipient text not null,
  reply_to text,
  content jsonb not null,
  send_at timestamptz(3) not null default now(),
  attempts smallint not null default 0,
  last_error text,
  created_at timestamptz(3) not null default now(),
  constraint outgoing_mail_pkey PRIMARY KEY (id),
  constraint outgoing_mail_recipient_one_line CHECK (length(recipient) >= 3 AND length(recipient) <= 254 AND recipient !~ '[[:cntrl:]]'::text),
  constraint outgoing_mail_reply_to_one_line CHECK (length(reply_to) >= 3 AND length(reply_to) <= 254 AND reply_to !~ '[[:cntrl:]]'::text)
);
CREATE INDEX outgoing_mail_by_time ON outgoing_mail USING btree (send_at, id);

create table outgoing_message (
  id uuid not null default gen_random_uuid(),
  user_id integer,
  channel text not null,
  address text not null,
  purpose text not null,
  content text,
  cause text,
  state text not null default 'waiting'::text,
  attempts integer not null default 0,
  due_at timestamptz(3) not null default now(),
  leased_until timestamptz(3),
  provider text,
  reference text,
  failure text,
  created_at timestamptz(3) not null default now(),
  constraint outgoing_message_pkey PRIMARY KEY (id),
  constraint outgoing_message_cause_key UNIQUE (cause),
  constraint outgoing_message_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint outgoing_message_channel_known CHECK (channel = ANY (ARRAY['telegram'::text, 'sms'::text, 'whatsapp'::text])),
  constraint outgoing_message_purpose_known CHECK (purpose = ANY (ARRAY['alert'::text, 'code'::text, 'answer'::text])),
  constraint outgoing_message_state_known CHECK (state = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'delivered'::text, 'failed'::text, 'unknown'::text, 'dropped'::text]))
);
CREATE INDEX outgoing_message_by_reference ON outgoing_message USING btree (provider, reference) WHERE reference IS NOT NULL;
CREATE INDEX outgoing_message_by_user ON outgoing_message USING btree (user_id, created_at);
CREATE INDEX outgoing_message_due ON outgoing_message USING btree (due_at) WHERE state = ANY (ARRAY['waiting'::text, 'sending'::text]);
CREATE INDEX outgoing_message_unanswered ON outgoing_message USING btree (provider, due_at) WHERE state = 'sent'::text AND reference IS NOT NULL;

create table payment (
  id integer not null generated always as identity,
  subscription_id integer,
  amount numeric(14,2) not null,
  currency text not null default 'USD'::text,
  status text not null default 'PENDING'::text,
  payment_method text not null default 'VISA'::text,
  transaction_ref text,
  authorization_code text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  user_id integer not null,
  plan_id integer,
  billing_period text,
  refund_reason text,
  credit numeric(14,2) not null default 0,
  replaces_id integer,
  link_id bigint,
  is_by_link boolean not null default false,
  constraint payment_pkey PRIMARY KEY (id),
  constraint payment_link_fkey FOREIGN KEY (link_id) REFERENCES payment_link(id) ON DELETE SET NULL,
  constraint payment_plan_fkey FOREIGN KEY (plan_id) REFERENCES plan(id),
  constraint payment_replaces_fkey FOREIGN KEY (replaces_id) REFERENCES subscription(id),
  constraint payment_subscription_fkey FOREIGN KEY (subscription_id) REFERENCES subscription(id),
  constraint payment_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint payment_amount_positive CHECK (amount > 0::numeric),
  constraint payment_authorization_code_length CHECK (length(authorization_code) <= 200),
  constraint payment_credit_not_negative CHECK (credit >= 0::numeric),
  constraint payment_currency_known CHECK (currency = ANY (ARRAY['USD'::text, 'CDF'::text])),
  constraint payment_method_known CHECK (payment_method = ANY (ARRAY['VISA'::text, 'MOBILE_MONEY'::text, 'CASH'::text, 'TRANSFER'::text])),
  constraint payment_period_known CHECK (billing_period = ANY (ARRAY['MONTHLY'::text, 'YEARLY'::text])),
  constraint payment_refund_reason_length CHECK (length(refund_reason) <= 500),
  constraint payment_status_known CHECK (status = ANY (ARRAY['PENDING'::text, 'PAID'::text, 'FAILED'::text, 'REFUNDED'::text])),
  constraint payment_transaction_ref_length CHECK (length(transaction_ref) <= 200)
);
CREATE INDEX payment_by_day ON payment USING btree (created_at, id);
CREATE INDEX payment_by_link ON payment USING btree (link_id) WHERE link_id IS NOT NULL;
CREATE INDEX payment_by_plan ON payment USING btree (plan_id);
CREATE INDEX payment_by_replaced ON payment USING btree (replaces_id) WHERE replaces_id IS NOT NULL;
CREATE INDEX payment_by_subscription ON payment USING btree (subscription_id);
CREATE INDEX payment_by_user ON payment USING btree (user_id, id);
CREATE CONSTRAINT TRIGGER invoice_of_payment AFTER INSERT OR UPDATE OF status ON payment DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (new.status = ANY (ARRAY['PAID'::text, 'REFUNDED'::text])) EXECUTE FUNCTION invoice_payment();
CREATE TRIGGER payment_touch BEFORE UPDATE ON payment FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

create table payment_link (
  id bigint not null generated always as identity,
  token text not null,
  user_id integer not null,
  plan_id integer not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  constraint payment_link_pkey PRIMARY KEY (id),
  constraint payment_link_token_key UNIQUE (token),
  constraint payment_link_plan_fkey FOREIGN KEY (plan_id) REFERENCES plan(id) ON DELETE CASCADE,
  constraint payment_link_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint payment_link_token_form CHECK (token ~ '^[0-9A-Za-z_-]{20,64}$'::text)
);
CREATE INDEX payment_link_by_plan ON payment_link USING btree (plan_id);
CREATE INDEX payment_link_by_user ON payment_link USING btree (user_id, id);

create table permission (
  id integer not null generated always as identity,
  name text not null,
  description text,
  is_seeded boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint permission_pkey PRIMARY KEY (id),
  constraint permission_description_length CHECK (length(description) <= 500),
  constraint permission_name_length CHECK (length(name) >= 1 AND length(name) <= 100)
);
CREATE UNIQUE INDEX permission_name_key ON permission USING btree (fold(name));
CREATE TRIGGER permission_touch BEFORE UPDATE ON permission FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

create table plan (
  id integer not null generated always as identity,
  name text not null,
  description text,
  price numeric(14,2) not null,
  currency text not null default 'USD'::text,
  billing_period text not null default 'MONTHLY'::text,
  is_active boolean not null default true,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  features text[] not null default ARRAY['BASIC_DATA'::text, 'REALTIME_DATA'::text, 'PRICE_ALERTS'::text, 'ADVANCED_ANALYSIS'::text, 'PRIORITY_SUPPORT'::text, 'CUSTOM_REPORTS'::text],
  calls_per_minute integer not null default 60,
  calls_per_month integer not null default 10000,
  sms_per_month integer not null default 20,
  seats integer not null default 1,
  constraint plan_pkey PRIMARY KEY (id),
  constraint plan_calls_per_minute_range CHECK (calls_per_minute >= 0 AND calls_per_minute <= 10000),
  constraint plan_calls_per_month_range CHECK (calls_per_month >= 0 AND calls_per_month <= 100000000),
  constraint plan_currency_known CHECK (currency = ANY (ARRAY['USD'::text, 'CDF'::text])),
  constraint plan_description_length CHECK (length(description) <= 2000),
  constraint plan_features_known CHECK (features <@ ARRAY['BASIC_DATA'::text, 'REALTIME_DATA'::text, 'PRICE_ALERTS'::text, 'ADVANCED_ANALYSIS'::text, 'PRIORITY_SUPPORT'::text, 'CUSTOM_REPORTS'::text]),
  constraint plan_name_length CHECK (length(name) >= 1 AND length(name) <= 200),
  constraint plan_period_known CHECK (billing_period = ANY (ARRAY['MONTHLY'::text, 'YEARLY'::text])),
  constraint plan_price_not_negative CHECK (price >= 0::numeric),
  constraint plan_seats_range CHECK (seats >= 1 AND seats <= 500),
  constraint plan_sms_not_negative CHECK (sms_per_month >= 0)
);
CREATE UNIQUE INDEX plan_name_key ON plan USING btree (fold(name));
CREATE TRIGGER plan_access AFTER UPDATE OF seats ON plan FOR EACH STATEMENT EXECUTE FUNCTION notify_access_changed();
CREATE TRIGGER plan_touch BEFORE UPDATE ON plan FOR EACH ROW EXECUTE FUNCTION touch_updated_at();
CREATE TRIGGER plan_withdrawn AFTER UPDATE OF is_active ON plan FOR EACH ROW WHEN (old.is_active AND NOT new.is_active) EXECUTE FUNCTION forget_next_plan();

create table planned_visit (
  id bigint not null generated always as identity,
  market_id integer not null,
  user_id integer not null,
  day date,
  weekday smallint,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint planned_visit_pkey PRIMARY KEY (id),
  constraint planned_visit_once UNIQUE NULLS NOT DISTINCT (user_id, market_id, day, weekday),
  constraint planned_visit_market_fkey FOREIGN KEY (market_id) REFERENCES market(id) ON DELETE CASCADE,
  constraint planned_visit_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint planned_visit_rhythm CHECK (num_nonnulls(day, weekday) = 1),
  constraint planned_visit_weekday_range CHECK (weekday >= 1 AND weekday <= 7)
);
CREATE INDEX planned_visit_market ON planned_visit USING btree (market_id);
CREATE TRIGGER planned_visit_touched BEFORE UPDATE ON planned_visit FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

create table price (
  id bigint not null generated always as identity,
  product_id integer not null,
  market_id integer not null,
  price_value numeric(14,2) not null,
  log_value bigint not null generated always as ((round((ln((price_value)::double precision) * ('1000000000000'::numeric)::double precision)))::bigint) stored,
  currency text not null default 'CDF'::text,
  flag text not null default 'actual'::text,
  collector_name text not null,
  source text,
  collected_at timestamptz(3) not null,
  observed_on date not null,
  lane smallint not null default 0,
  written_by integer,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  import_id integer,
  constraint price_pkey PRIMARY KEY (id),
  constraint price_market_fkey FOREIGN KEY (market_id) REFERENCES market(id),
  constraint price_product_fkey FOREIGN KEY (product_id) REFERENCES product(id),
  constraint price_writer_fkey FOREIGN KEY (written_by) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint price_collector_length CHECK (length(collector_name) >= 1 AND length(collector_name) <= 200),
  constraint price_currency_known CHECK (currency = ANY (ARRAY['CDF'::text, 'USD'::text])),
  constraint price_flag_known CHECK (flag = ANY (ARRAY['actual'::text, 'aggregate'::text])),
  constraint price_lane_range CHECK (lane >= 0 AND lane <= 15),
  constraint price_source_length CHECK (length(source) <= 500),
  constraint price_value_positive CHECK (price_value > 0::numeric)
);
CREATE INDEX price_by_collector ON price USING btree (collector_name, observed_on);
CREATE INDEX price_by_day ON price USING btree (observed_on, collected_at, id);
CREATE INDEX price_by_market_day ON price USING btree (market_id, observed_on, product_id) INCLUDE (currency, log_value);
CREATE INDEX price_by_product_day ON price USING btree (product_id, observed_on, market_id) INCLUDE (currency, log_value);
CREATE INDEX price_by_value ON price USING btree (price_value, id);
CREATE INDEX price_by_writer ON price USING btree (written_by, collected_at) WHERE written_by IS NOT NULL;
CREATE TRIGGER price_added AFTER INSERT ON price REFERENCING NEW TABLE AS new_price FOR EACH STATEMENT EXECUTE FUNCTION add_prices_to_cells();
CREATE TRIGGER price_changed AFTER UPDATE ON price REFERENCING OLD TABLE AS old_price NEW TABLE AS new_price FOR EACH STATEMENT EXECUTE FUNCTION recompute_cells_of_changed_prices();
CREATE TRIGGER price_moved_due AFTER UPDATE ON price REFERENCING OLD TABLE AS old_price NEW TABLE AS new_price FOR EACH STATEMENT EXECUTE FUNCTION mark_due_moved_prices();
CREATE TRIGGER price_photo_deleted AFTER DELETE ON price REFERENCING OLD TABLE AS old_price FOR EACH STATEMENT EXECUTE FUNCTION delete_price_photos();
CREATE TRIGGER price_removed AFTER DELETE ON price REFERENCING OLD TABLE AS old_price FOR EACH STATEMENT EXECUTE FUNCTION recompute_cells_of_removed_prices();
CREATE TRIGGER price_removed_due AFTER DELETE ON price REFERENCING OLD TABLE AS old_price FOR EACH STATEMENT EXECUTE FUNCTION mark_due_removed_prices();
CREATE TRIGGER price_review_withdrawn AFTER DELETE ON price REFERENCING OLD TABLE AS old_price FOR EACH STATEMENT EXECUTE FUNCTION withdraw_reviews();
CREATE TRIGGER price_touch BEFORE UPDATE ON price FOR EACH ROW EXECUTE FUNCTION touch_unless_told();

create table price_alert (
  product_id integer not null,
  market_id integer not null,
  kind text not null,
  log_change double precision not null,
  overall double precision,
  last_day date not null,
  shown double precision not null,
  usual double precision not null,
  constraint price_alert_pkey PRIMARY KEY (product_id, market_id),
  constraint price_alert_market_fkey FOREIGN KEY (market_id) REFERENCES market(id) ON DELETE CASCADE,
  constraint price_alert_product_fkey FOREIGN KEY (product_id) REFERENCES product(id) ON DELETE CASCADE,
  constraint price_alert_kind_known CHECK (kind = ANY (ARRAY['dearer'::text, 'outlier'::text]))
);
CREATE INDEX price_alert_by_market ON price_alert USING btree (market_id);

create table price_day (
  day date not null,
  currency text not null,
  lane smallint not null,
  n bigint not null default 0,
  total numeric not null default 0,
  lowest numeric(14,2),
  highest numeric(14,2),
  sum_log numeric not null default 0,
  last_collected_at timestamptz,
  constraint price_day_pkey PRIMARY KEY (day, currency, lane)
);

create table price_day_category (
  category_id integer not null,
  day date not null,
  currency text not null,
  n bigint not null,
  total numeric not null,
  lowest numeric(14,2) not null,
  highest numeric(14,2) not null,
  constraint price_day_category_pkey PRIMARY KEY (category_id, day, currency),
  constraint price_day_category_category FOREIGN KEY (category_id) REFERENCES category(id) ON DELETE CASCADE
);
CREATE INDEX price_day_category_by_day ON price_day_category USING btree (day);

create table price_day_market (
  day date not null,
  market_id integer not null,
  currency text not null,
  lane smallint not null,
  n bigint not null default 0,
  total numeric not null default 0,
  lowest numeric(14,2),
  highest numeric(14,2),
  sum_log numeric not null default 0,
  constraint price_day_market_pkey PRIMARY KEY (market_id, day, currency, lane)
);
CREATE INDEX price_day_market_by_day ON price_day_market USING btree (day);

create table price_day_product (
  day date not null,
  product_id integer not null,
  currency text not null,
  lane smallint not null,
  n bigint not null default 0,
  total numeric not null default 0,
  lowest numeric(14,2),
  highest numeric(14,2),
  sum_log numeric not null default 0,
  constraint price_day_product_pkey PRIMARY KEY (product_id, day, currency, lane)
);
CREATE INDEX price_day_product_by_day ON price_day_product USING btree (day);

create table price_index (
  scope text not null,
  key text not null,
  start date not null,
  levels double precision[] not null,
  errors double precision[] not null,
  series integer not null,
  products integer not null,
  known_series integer not null,
  last_day date not null,
  quoted integer[] not null,
  market_days date[] not null,
  clusters integer not null,
  constraint price_index_pkey PRIMARY KEY (scope, key),
  constraint price_index_scope_known CHECK (scope = ANY (ARRAY['nation'::text, 'city'::text, 'category'::text, 'market'::text, 'province'::text]))
);

create table price_index_fit (
  is_only boolean not null default true,
  fitted_at timestamptz(3) not null default '-infinity'::timestamptz,
  windows_from date default '-infinity'::date,
  windows_at timestamptz(3) not null default '-infinity'::timestamptz,
  constraint price_index_fit_pkey PRIMARY KEY (is_only),
  constraint price_index_fit_only CHECK (is_only)
);

create table price_index_mark (
  day date
);

create table price_index_window (
  scope text not null,
  key text not null,
  week date not null,
  levels double precision[] not null,
  constraint price_index_window_pkey PRIMARY KEY (scope, key, week)
);
CREATE INDEX price_index_window_by_week ON price_index_window USING btree (week);

create table price_month (
  month date not null,
  dimension text not null,
  key text not null,
  n bigint not null,
  last_day date not null,
  constraint price_month_pkey PRIMARY KEY (dimension, month, key),
  constraint price_month_dimension_known CHECK ((dimension = ANY (ARRAY['product'::text, 'market'::text, 'collector'::text])) OR dimension ~ '^(category \d+|city .+|province [a-z]+)$'::text)
);

create table price_month_counted (
  month date not null,
  constraint price_month_counted_pkey PRIMARY KEY (month)
);

create table price_month_written (
  id bigint not null generated always as identity,
  month date not null,
  constraint price_month_written_pkey PRIMARY KEY (id)
);

create table price_photo (
  price_id bigint not null,
  sha256 bytea not null,
  image text not null,
  user_id integer,
  received_at timestamptz(3) not null default now(),
  constraint price_photo_pkey PRIMARY KEY (price_id, sha256),
  constraint price_photo_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint price_photo_image_hash CHECK (image ~ '^[0-9a-f]{64}$'::text),
  constraint price_photo_sha256_size CHECK (octet_length(sha256) = 32)
);
CREATE INDEX price_photo_image ON price_photo USING btree (image);
CREATE INDEX price_photo_user ON price_photo USING btree (user_id);
CREATE TRIGGER price_photo_changed AFTER INSERT OR DELETE ON price_photo FOR EACH ROW EXECUTE FUNCTION note_price_shown_change();

create table price_review (
  id bigint not null generated always as identity,
  price_id bigint not null,
  product_id integer not null,
  market_id integer not null,
  observed_on date not null,
  agent_id integer,
  reasons text[] not null,
  evidence jsonb not null,
  state text not null default 'waiting'::text,
  price_value numeric(14,2) not null,
  currency text not null,
  new_value numeric(14,2),
  new_currency text,
  comment text,
  due_on date,
  returned_at timestamptz(3),
  is_maintained boolean not null default false,
  decided_by integer,
  decided_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint price_review_pkey PRIMARY KEY (id),
  constraint price_review_agent_fkey FOREIGN KEY (agent_id) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint price_review_decider_fkey FOREIGN KEY (decided_by) REFERENCES app_user(id) ON DELETE SET NULL,
  constraint price_review_market_fkey FOREIGN KEY (market_id) REFERENCES market(id) ON DELETE CASCADE,
  constraint price_review_product_fkey FOREIGN KEY (product_id) REFERENCES product(id) ON DELETE CASCADE,
  constraint price_review_comment_length CHECK (length(comment) <= 300),
  constraint price_review_reasons_known CHECK (reasons <@ '{outlier,duplicate,fast,far,absent}'::text[] AND cardinality(reasons) > 0),
  constraint price_review_returned CHECK (state <> 'returned'::text OR due_on IS NOT NULL AND returned_at IS NOT NULL),
  constraint price_review_state_known CHECK (state = ANY (ARRAY['waiting'::text, 'returned'::text, 'confirmed'::text, 'accepted'::text, 'corrected'::text, 'rejected'::text, 'withdrawn'::text]))
);
CREATE INDEX price_review_agent ON price_review USING btree (agent_id) WHERE state = 'returned'::text;
CREATE INDEX price_review_decided ON price_review USING btree (decided_at DESC, id DESC) WHERE decided_at IS NOT NULL;
CREATE INDEX price_review_decider ON price_review USING btree (decided_by);
CREATE INDEX price_review_market ON price_review USING btree (market_id);
CREATE UNIQUE INDEX price_review_open ON price_review USING btree (price_id) WHERE state = ANY (ARRAY['waiting'::text, 'returned'::text]);
CREATE INDEX price_review_price ON price_review USING btree (price_id);
CREATE INDEX price_review_product ON price_review USING btree (product_id);
CREATE TRIGGER price_review_closed AFTER UPDATE OF state ON price_review FOR EACH ROW WHEN ((old.state = ANY (ARRAY['waiting'::text, 'returned'::text])) <> (new.state = ANY (ARRAY['waiting'::text, 'returned'::text]))) EXECUTE FUNCTION note_price_shown_change();
CREATE TRIGGER price_review_opened AFTER INSERT ON price_review FOR EACH ROW EXECUTE FUNCTION note_price_shown_change();

create table price_revision (
  import_id integer not null,
  price_id bigint not null,
  price_value numeric(14,2) not null,
  currency text not null,
  revised_at timestamptz(3) not null,
  updated_at timestamptz(3),
  constraint price_revision_pkey PRIMARY KEY (import_id, price_id),
  constraint price_revision_import_fkey FOREIGN KEY (import_id) REFERENCES import(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table price_week_series (
  week date not null,
  product_id integer not null,
  market_id integer not null,
  currency text not null,
  lane smallint not null,
  n bigint not null default 0,
  sum_log_cdf bigint not null default 0,
  constraint price_week_series_pkey PRIMARY KEY (week, product_id, market_id, currency, lane)
);
CREATE INDEX price_week_series_by_market ON price_week_series USING btree (market_id, product_id);

create table product (
  id integer not null generated always as identity,
  code text not null,
  name text not null,
  type_id integer not null,
  brand_id integer,
  weight text not null,
  price numeric(14,2),
  currency text not null default 'CDF'::text,
  origin text not null,
  format text not null,
  image text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  folded text not null generated always as (fold(((code || ' '::text) || name))) stored,
  constraint product_pkey PRIMARY KEY (id),
  constraint product_brand_fkey FOREIGN KEY (brand_id) REFERENCES brand(id),
  constraint product_type_fkey FOREIGN KEY (type_id) REFERENCES product_type(id),
  constraint product_code_length CHECK (length(code) >= 1 AND length(code) <= 100),
  constraint product_currency_known CHECK (currency = ANY (ARRAY['CDF'::text, 'USD'::text])),
  constraint product_format_length CHECK (length(format) >= 1 AND length(format) <= 200),
  constraint product_image_hash CHECK (image ~ '^[0-9a-f]{64}$'::text),
  constraint product_name_length CHECK (length(name) >= 1 AND length(name) <= 200),
  constraint product_origin_length CHECK (length(origin) >= 1 AND length(origin) <= 200),
  constraint product_price_positive CHECK (price > 0::numeric),
  constraint product_weight_length CHECK (length(weight) >= 1 AND length(weight) <= 100)
);
CREATE INDEX product_by_brand ON product USING btree (brand_id);
CREATE INDEX product_by_code ON product USING btree (code COLLATE "fr-x-icu", id);
CREATE INDEX product_by_creation ON product USING btree (created_at, id);
CREATE INDEX product_by_format ON product USING btree (fold(format), id);
CREATE INDEX product_by_image ON product USING btree (image) WHERE image IS NOT NULL;
CREATE INDEX product_by_name ON product USING btree (name COLLATE "fr-x-icu", id);
CREATE INDEX product_by_origin ON product USING btree (fold(origin), id);
CREATE INDEX product_by_price ON product USING btree (price, id);
CREATE INDEX product_by_price_down ON product USING btree (price DESC NULLS LAST, id DESC);
CREATE INDEX product_by_series ON product USING btree (fold(name), fold(weight), fold(format));
CREATE INDEX product_by_type ON product USING btree (type_id);
CREATE UNIQUE INDEX product_code_key ON product USING btree (fold(code));
CREATE INDEX product_in_order_of_format ON product USING btree (format COLLATE "fr-x-icu", id);
CREATE INDEX product_in_order_of_origin ON product USING btree (origin COLLATE "fr-x-icu", id);
CREATE INDEX product_search ON product USING gin (folded gin_trgm_ops);
CREATE TRIGGER product_counted_again AFTER UPDATE ON product REFERENCING OLD TABLE AS old_product NEW TABLE AS new_product FOR EACH STATEMENT EXECUTE FUNCTION count_products();
CREATE TRIGGER product_counted_in AFTER INSERT ON product REFERENCING NEW TABLE AS new_product FOR EACH STATEMENT EXECUTE FUNCTION count_products();
CREATE TRIGGER product_counted_none AFTER TRUNCATE ON product FOR EACH STATEMENT EXECUTE FUNCTION count_products();
CREATE TRIGGER product_counted_out AFTER DELETE ON product REFERENCING OLD TABLE AS old_product FOR EACH STATEMENT EXECUTE FUNCTION count_products();
CREATE TRIGGER product_in_index AFTER UPDATE OF type_id ON product FOR EACH ROW WHEN (old.type_id IS DISTINCT FROM new.type_id) EXECUTE FUNCTION mark_all_days();
CREATE TRIGGER product_in_month AFTER UPDATE OF type_id ON product FOR EACH ROW WHEN (old.type_id IS DISTINCT FROM new.type_id) EXECUTE FUNCTION mark_all_months();
CREATE TRIGGER product_touch BEFORE UPDATE ON product FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

create table product_alias (
  code text not null,
  product_id integer not null,
  constraint product_alias_product_fkey FOREIGN KEY (product_id) REFERENCES product(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX product_alias_code_key ON product_alias USING btree (fold(code));
CREATE INDEX product_alias_product ON product_alias USING btree (product_id);

create table product_count (
  type_id integer not null,
  lane smallint not null,
  n bigint not null,
  constraint product_count_pkey PRIMARY KEY (type_id, lane),
  constraint product_count_type_fkey FOREIGN KEY (type_id) REFERENCES product_type(id) ON DELETE CASCADE
);

create table product_type (
  id integer not null generated always as identity,
  name text not null,
  category_id integer not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  kind text not null default 'good'::text,
  constraint product_type_pkey PRIMARY KEY (id),
  constraint product_type_category_fkey FOREIGN KEY (category_id) REFERENCES category(id),
  constraint product_type_kind_known CHECK (kind = ANY (ARRAY['good'::text, 'service'::text, 'wage'::text, 'rate'::text])),
  constraint product_type_name_length CHECK (length(name) >= 1 AND length(name) <= 200)
);
CREATE UNIQUE INDEX product_type_name_key ON product_type USING btree (category_id, fold(name));
CREATE INDEX product_type_search ON product_type USING gin (fold(name) gin_trgm_ops);
CREATE TRIGGER product_type_in_index AFTER UPDATE OF category_id, kind ON product_type FOR EACH ROW WHEN (old.category_id IS DISTINCT FROM new.category_id OR old.kind IS DISTINCT FROM new.kind) EXECUTE FUNCTION mark_all_days();
CREATE TRIGGER product_type_in_month AFTER UPDATE OF category_id, kind ON product_type FOR EACH ROW WHEN (old.category_id IS DISTINCT FROM new.category_id OR old.kind IS DISTINCT FROM new.kind) EXECUTE FUNCTION mark_all_months();
CREATE TRIGGER product_type_shown AFTER UPDATE OF name, category_id ON product_type FOR EACH ROW WHEN (old.name IS DISTINCT FROM new.name OR old.category_id IS DISTINCT FROM new.category_id) EXECUTE FUNCTION note_shown_by_products();
CREATE TRIGGER product_type_touch BEFORE UPDATE ON product_type FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

create table product_type_weight (
  id integer not null generated always as identity,
  type_id integer not null,
  day date not null,
  weight numeric(14,2) not null,
  source text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint product_type_weight_pkey PRIMARY KEY (id),
  constraint product_type_weight_of_day UNIQUE (type_id, day),
  constraint product_type_weight_type_fkey FOREIGN KEY (type_id) REFERENCES product_type(id),
  constraint product_type_weight_from_zero CHECK (weight >= 0::numeric),
  constraint product_type_weight_source_length CHECK (length(source) >= 1 AND length(source) <= 500)
);
CREATE TRIGGER product_type_weight_touch BEFORE UPDATE ON product_type_weight FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

create table published_inflation (
  id integer not null generated always as identity,
  publisher text not null,
  measure text not null,
  week date not null,
  location text,
  value numeric(10,3) not null,
  source text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint published_inflation_pkey PRIMARY KEY (id),
  constraint published_inflation_above_total_loss CHECK (value > '-100'::integer::numeric),
  constraint published_inflation_location_length CHECK (length(location) >= 1 AND length(location) <= 200),
  constraint published_inflation_measure_known CHECK (measure = ANY (ARRAY['weekly'::text, 'cumulative'::text, 'annualised'::text, 'yearly'::text])),
  constraint published_inflation_on_monday CHECK (EXTRACT(isodow FROM week) = 1::numeric),
  constraint published_inflation_publisher_known CHECK (publisher = ANY (ARRAY['INS'::text, 'BCC'::text])),
  constraint published_inflation_source_length CHECK (length(source) >= 1 AND length(source) <= 500)
);
CREATE UNIQUE INDEX published_inflation_once ON published_inflation USING btree (week, publisher, measure, fold(COALESCE(location, ''::text)));
CREATE TRIGGER published_inflation_touch BEFORE UPDATE ON published_inflation FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

create table quota_warning (
  user_id integer not null,
  month date not null,
  percent integer not null,
  sent_at timestamptz(3) not null default now(),
  constraint quota_warning_pkey PRIMARY KEY (user_id, month, percent),
  constraint quota_warning_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint quota_warning_percent_known CHECK (percent = ANY (ARRAY[80, 100]))
);

create table rate_limit (
  key text not null,
  hits integer not null,
  resets_at timestamptz(3) not null,
  spent_windows smallint not null default 0,
  constraint rate_limit_pkey PRIMARY KEY (key),
  constraint rate_limit_hits_positive CHECK (hits > 0)
);
CREATE INDEX rate_limit_reset ON rate_limit USING btree (resets_at);

create table rate_revision (
  import_id integer not null,
  rate_id integer not null,
  cdf_per_usd numeric(14,6),
  source text,
  revised_at timestamptz(3) not null,
  constraint rate_revision_pkey PRIMARY KEY (import_id, rate_id),
  constraint rate_revision_import_fkey FOREIGN KEY (import_id) REFERENCES import(id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
);

create table recovery_code (
  user_id integer not null,
  hash bytea not null,
  constraint recovery_code_pkey PRIMARY KEY (user_id, hash),
  constraint recovery_code_user_fkey FOREIGN KEY (user_id) REFERENCES second_factor(user_id) ON DELETE CASCADE
);

create table report (
  id bigint not null generated always as identity,
  user_id integer not null,
  title text not null,
  blocks jsonb not null,
  schedule jsonb,
  next_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint report_pkey PRIMARY KEY (id),
  constraint report_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
);
CREATE INDEX report_by_user ON report USING btree (user_id);
CREATE INDEX report_due ON report USING btree (next_at) WHERE next_at IS NOT NULL;
CREATE TRIGGER report_touch BEFORE UPDATE OF title, blocks, schedule ON report FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

create table report_delivery (
  id bigint not null generated always as identity,
  issue_id bigint not null,
  recipient_id bigint,
  is_to_owner boolean not null,
  state text not null default 'waiting'::text,
  send_at timestamptz(3) not null default now(),
  begun_at timestamptz(3),
  attempts integer not null default 0,
  constraint report_delivery_pkey PRIMARY KEY (id),
  constraint report_delivery_once UNIQUE (issue_id, recipient_id),
  constraint report_delivery_issue_fkey FOREIGN KEY (issue_id) REFERENCES report_issue(id) ON DELETE CASCADE,
  constraint report_delivery_recipient_fkey FOREIGN KEY (recipient_id) REFERENCES report_recipient(id) ON DELETE SET NULL,
  constraint report_delivery_state_known CHECK (state = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'refused'::text, 'expired'::text, 'unknown'::text, 'none'::text]))
);
CREATE INDEX report_delivery_by_recipient ON report_delivery USING btree (recipient_id);
CREATE INDEX report_delivery_due ON report_delivery USING btree (send_at) WHERE state = ANY (ARRAY['waiting'::text, 'sending'::text]);

create table report_file (
  issue_id bigint not null,
  format text not null,
  content bytea,
  sha256 text not null,
  bytes integer,
  constraint report_file_pkey PRIMARY KEY (issue_id, format),
  constraint report_file_issue_fkey FOREIGN KEY (issue_id) REFERENCES report_issue(id) ON DELETE CASCADE,
  constraint report_file_format_known CHECK (format = ANY (ARRAY['pdf'::text, 'xlsx'::text]))
);
CREATE INDEX report_file_by_content ON report_file USING btree (sha256);

create table report_issue (
  id bigint not null generated always as identity,
  report_id bigint not null,
  token text not null,
  planned_at timestamptz(3) not null,
  audience text not null,
  is_scheduled boolean not null,
  state text not null default 'planned'::text,
  reason text,
  content jsonb,
  made_at timestamptz(3),
  constraint report_issue_pkey PRIMARY KEY (id),
  constraint report_issue_once UNIQUE (report_id, planned_at),
  constraint report_issue_token_key UNIQUE (token),
  constraint report_issue_report_fkey FOREIGN KEY (report_id) REFERENCES report(id) ON DELETE CASCADE,
  constraint report_issue_audience_known CHECK (audience = ANY (ARRAY['recipients'::text, 'owner'::text, 'nobody'::text])),
  constraint report_issue_state_known CHECK (state = ANY (ARRAY['planned'::text, 'made'::text, 'sent'::text, 'skipped'::text, 'failed'::text]))
);
CREATE INDEX report_issue_to_end ON report_issue USING btree (id) WHERE state = 'made'::text;

create table report_recipient (
  id bigint not null generated always as identity,
  report_id bigint not null,
  email text not null,
  token text not null,
  state text not null,
  created_at timestamptz(3) not null default now(),
  answered_at timestamptz(3),
  constraint report_recipient_pkey PRIMARY KEY (id),
  constraint report_recipient_token_key UNIQUE (token),
  constraint report_recipient_report_fkey FOREIGN KEY (report_id) REFERENCES report(id) ON DELETE CASCADE,
  constraint report_recipient_state_known CHECK (state = ANY (ARRAY['waiting'::text, 'confirmed'::text, 'left'::text]))
);
CREATE UNIQUE INDEX report_recipient_once ON report_recipient USING btree (report_id, lower(email));

create table report_refusal (
  user_id integer not null,
  email_hash bytea not null,
  created_at timestamptz(3) not null default now(),
  constraint report_refusal_pkey PRIMARY KEY (user_id, email_hash),
  constraint report_refusal_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
);

create table role (
  id integer not null generated always as identity,
  name text not null,
  description text,
  is_seeded boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint role_pkey PRIMARY KEY (id),
  constraint role_description_length CHECK (length(description) <= 500),
  constraint role_name_length CHECK (length(name) >= 1 AND length(name) <= 100)
);
CREATE UNIQUE INDEX role_name_key ON role USING btree (fold(name));
CREATE TRIGGER role_access AFTER DELETE OR UPDATE ON role FOR EACH STATEMENT EXECUTE FUNCTION notify_access_changed();
CREATE TRIGGER role_touch BEFORE UPDATE ON role FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

create table role_permission (
  role_id integer not null,
  permission_id integer not null,
  constraint role_permission_pkey PRIMARY KEY (role_id, permission_id),
  constraint role_permission_permission_fkey FOREIGN KEY (permission_id) REFERENCES permission(id),
  constraint role_permission_role_fkey FOREIGN KEY (role_id) REFERENCES role(id) ON DELETE CASCADE
);
CREATE INDEX role_permission_permission ON role_permission USING btree (permission_id);
CREATE TRIGGER role_permission_access AFTER INSERT OR DELETE OR UPDATE ON role_permission FOR EACH STATEMENT EXECUTE FUNCTION notify_access_changed();

create table row_change (
  of_table text not null,
  ids int8multirange not null,
  are_deleted boolean not null,
  place bigint,
  placed_at timestamptz,
  constraint row_change_placed CHECK ((place IS NULL) = (placed_at IS NULL))
);
CREATE UNIQUE INDEX row_change_order ON row_change USING btree (of_table, place) WHERE place IS NOT NULL;
CREATE INDEX row_change_without_place ON row_change USING btree (of_table) WHERE place IS NULL;

create table saved_view (
  id integer not null generated always as identity,
  user_id integer not null,
  name text not null,
  path text not null,
  search text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint saved_view_pkey PRIMARY KEY (id),
  constraint saved_view_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint saved_view_name_length CHECK (length(name) >= 1 AND length(name) <= 100),
  constraint saved_view_path_length CHECK (length(path) >= 1 AND length(path) <= 100),
  constraint saved_view_search_length CHECK (length(search) <= 2000)
);
CREATE UNIQUE INDEX saved_view_name_key ON saved_view USING btree (user_id, fold(name));
CREATE TRIGGER saved_view_touch BEFORE UPDATE ON saved_view FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

create table schema_migration (
  number integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamptz(3) not null default now(),
  constraint schema_migration_pkey PRIMARY KEY (number)
);

create table seat (
  id integer not null generated always as identity,
  owner_id integer not null,
  email text not null,
  user_id integer,
  invited_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  constraint seat_pkey PRIMARY KEY (id),
  constraint seat_owner_fkey FOREIGN KEY (owner_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint seat_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint seat_acceptance_dated CHECK ((user_id IS NULL) = (accepted_at IS NULL)),
  constraint seat_email_length CHECK (length(email) >= 3 AND length(email) <= 254)
);
CREATE INDEX seat_by_invited ON seat USING btree (lower(email)) WHERE user_id IS NULL;
CREATE UNIQUE INDEX seat_email_key ON seat USING btree (owner_id, lower(email));
CREATE UNIQUE INDEX seat_user_key ON seat USING btree (user_id);
CREATE TRIGGER seat_access AFTER INSERT OR DELETE OR UPDATE ON seat FOR EACH ROW EXECUTE FUNCTION notify_members();

create table second_factor (
  user_id integer not null,
  secret bytea not null,
  confirmed_at timestamptz(3),
  last_step bigint not null default 0,
  constraint second_factor_pkey PRIMARY KEY (user_id),
  constraint second_factor_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
);
CREATE TRIGGER second_factor_access AFTER DELETE OR UPDATE OF confirmed_at ON second_factor FOR EACH ROW EXECUTE FUNCTION notify_access_changed();

create table session (
  id bigint not null generated always as identity,
  user_id integer not null,
  client text not null,
  created_at timestamptz(3) not null default now(),
  revoked_at timestamptz(3),
  used_generation integer not null default '-1'::integer,
  used_hash bytea,
  constraint session_pkey PRIMARY KEY (id),
  constraint session_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
);
CREATE INDEX session_by_user ON session USING btree (user_id);
CREATE TRIGGER session_access AFTER DELETE OR UPDATE OF revoked_at ON session FOR EACH ROW EXECUTE FUNCTION notify_access_changed();

create table session_token (
  hash bytea not null,
  session_id bigint not null,
  kind text not null,
  expires_at timestamptz(3) not null,
  generation integer not null default 0,
  constraint session_token_pkey PRIMARY KEY (hash),
  constraint session_token_session_fkey FOREIGN KEY (session_id) REFERENCES session(id) ON DELETE CASCADE,
  constraint session_token_kind_known CHECK (kind = ANY (ARRAY['access'::text, 'refresh'::text]))
);
CREATE INDEX session_token_expiry ON session_token USING btree (expires_at);
CREATE INDEX session_token_session ON session_token USING btree (session_id);

create table share (
  id bigint not null generated always as identity,
  token text not null,
  user_id integer not null,
  product_id integer,
  market_id integer,
  frozen jsonb,
  views bigint not null default 0,
  created_at timestamptz(3) not null default now(),
  path text,
  search text,
  title text,
  constraint share_pkey PRIMARY KEY (id),
  constraint share_token_key UNIQUE (token),
  constraint share_market_fkey FOREIGN KEY (market_id) REFERENCES market(id) ON DELETE CASCADE,
  constraint share_product_fkey FOREIGN KEY (product_id) REFERENCES product(id) ON DELETE CASCADE,
  constraint share_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint share_subject CHECK (product_id IS NOT NULL AND market_id IS NOT NULL AND path IS NULL AND search IS NULL AND title IS NULL OR product_id IS NULL AND market_id IS NULL AND path IS NOT NULL AND search IS NOT NULL AND title IS NOT NULL),
  constraint share_token_form CHECK (token ~ '^[0-9A-Za-z]{6,20}$'::text)
);
CREATE INDEX share_by_market ON share USING btree (market_id);
CREATE INDEX share_by_product ON share USING btree (product_id);
CREATE INDEX share_by_user ON share USING btree (user_id, created_at);

create table stray_receipt (
  id integer not null generated always as identity,
  provider text not null,
  reference text not null,
  amount numeric(14,2) not null,
  currency text not null,
  received_on date not null,
  state text not null,
  payment_id integer,
  note text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint stray_receipt_pkey PRIMARY KEY (id),
  constraint stray_receipt_once UNIQUE (provider, reference),
  constraint stray_receipt_payment_once UNIQUE (payment_id),
  constraint stray_receipt_payment_fkey FOREIGN KEY (payment_id) REFERENCES payment(id),
  constraint stray_receipt_amount_positive CHECK (amount > 0::numeric),
  constraint stray_receipt_currency_known CHECK (currency = ANY (ARRAY['CDF'::text, 'USD'::text])),
  constraint stray_receipt_note_length CHECK (length(note) <= 500),
  constraint stray_receipt_payment_when_attached CHECK ((state = 'attached'::text) = (payment_id IS NOT NULL)),
  constraint stray_receipt_provider_known CHECK (provider = ANY (ARRAY['pawapay'::text, 'flexpay'::text])),
  constraint stray_receipt_reference_length CHECK (length(reference) >= 1 AND length(reference) <= 200),
  constraint stray_receipt_state_known CHECK (state = ANY (ARRAY['attached'::text, 'to_refund'::text, 'refunded'::text]))
);
CREATE INDEX stray_receipt_to_refund ON stray_receipt USING btree (id) WHERE state = 'to_refund'::text;
CREATE TRIGGER stray_receipt_touch BEFORE UPDATE ON stray_receipt FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

create table subscription (
  id integer not null generated always as identity,
  user_id integer not null,
  plan_id integer,
  start_date timestamptz(3) not null,
  end_date timestamptz(3) not null,
  status text not null default 'TRIAL'::text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  payment_id integer,
  canceled_at timestamptz(3),
  cancel_reason text,
  cancel_note text,
  next_plan_id integer,
  replaced_by integer,
  replaced_end timestamptz(3),
  paused_at timestamptz(3),
  pause_reason text,
  constraint subscription_pkey PRIMARY KEY (id),
  constraint subscription_payment_key UNIQUE (payment_id),
  constraint subscription_next_plan_fkey FOREIGN KEY (next_plan_id) REFERENCES plan(id) ON DELETE SET NULL,
  constraint subscription_payment_fkey FOREIGN KEY (payment_id) REFERENCES payment(id),
  constraint subscription_plan_fkey FOREIGN KEY (plan_id) REFERENCES plan(id),
  constraint subscription_replaced_by_fkey FOREIGN KEY (replaced_by) REFERENCES payment(id),
  constraint subscription_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint subscription_cancel_note_length CHECK (length(cancel_note) <= 500),
  constraint subscription_cancel_reason_known CHECK (cancel_reason = ANY (ARRAY['PRICE'::text, 'UNUSED'::text, 'COVERAGE'::text, 'QUALITY'::text, 'FINISHED'::text, 'OTHER'::text])),
  constraint subscription_dates_ordered CHECK (start_date < end_date),
  constraint subscription_pause_dated CHECK ((status = 'PAUSED'::text) = (paused_at IS NOT NULL)),
  constraint subscription_pause_reason_length CHECK (length(pause_reason) <= 500),
  constraint subscription_status_known CHECK (status = ANY (ARRAY['TRIAL'::text, 'ACTIVE'::text, 'PAUSED'::text, 'EXPIRED'::text, 'CANCELED'::text]))
);
CREATE INDEX subscription_by_end ON subscription USING btree (end_date) WHERE status = ANY (ARRAY['ACTIVE'::text, 'TRIAL'::text]);
CREATE INDEX subscription_by_next_plan ON subscription USING btree (next_plan_id) WHERE next_plan_id IS NOT NULL;
CREATE INDEX subscription_by_plan ON subscription USING btree (plan_id);
CREATE INDEX subscription_by_replacing ON subscription USING btree (replaced_by) WHERE replaced_by IS NOT NULL;
CREATE INDEX subscription_by_user ON subscription USING btree (user_id, end_date);
CREATE TRIGGER subscription_access AFTER INSERT OR DELETE OR UPDATE ON subscription FOR EACH ROW EXECUTE FUNCTION notify_access_changed();
CREATE TRIGGER subscription_members AFTER INSERT OR DELETE OR UPDATE ON subscription FOR EACH ROW EXECUTE FUNCTION notify_members();
CREATE TRIGGER subscription_touch BEFORE UPDATE ON subscription FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

create table subscription_reminder (
  subscription_id integer not null,
  days smallint not null,
  sent_at timestamptz(3) not null default now(),
  constraint subscription_reminder_pkey PRIMARY KEY (subscription_id, days),
  constraint subscription_reminder_subscription_fkey FOREIGN KEY (subscription_id) REFERENCES subscription(id) ON DELETE CASCADE
);

create table transfer_order (
  id integer not null generated always as identity,
  reference text not null generated always as (('VIR-'::text || lpad((id)::text, GREATEST(6, length((id)::text)), '0'::text))) stored,
  user_id integer not null,
  plan_id integer not null,
  billing_period text not null,
  amount numeric(14,2) not null,
  currency text not null,
  payment_id integer,
  created_at timestamptz(3) not null default now(),
  constraint transfer_order_pkey PRIMARY KEY (id),
  constraint transfer_order_payment_unique UNIQUE (payment_id),
  constraint transfer_order_reference_unique UNIQUE (reference),
  constraint transfer_order_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES payment(id),
  constraint transfer_order_plan_id_fkey FOREIGN KEY (plan_id) REFERENCES plan(id),
  constraint transfer_order_user_id_fkey FOREIGN KEY (user_id) REFERENCES app_user(id),
  constraint transfer_order_amount_positive CHECK (amount > 0::numeric)
);
CREATE INDEX transfer_order_by_plan ON transfer_order USING btree (plan_id);
CREATE INDEX transfer_order_by_user ON transfer_order USING btree (user_id, id);

create table transfer_receipt (
  id integer not null generated always as identity,
  order_id integer not null,
  amount numeric(14,2) not null,
  bank_reference text not null,
  received_on date not null,
  created_at timestamptz(3) not null default now(),
  cancels_id integer,
  reason text,
  is_cancelled boolean not null default false,
  constraint transfer_receipt_pkey PRIMARY KEY (id),
  constraint transfer_receipt_cancels_unique UNIQUE (cancels_id),
  constraint transfer_receipt_cancels_fkey FOREIGN KEY (cancels_id) REFERENCES transfer_receipt(id),
  constraint transfer_receipt_order_id_fkey FOREIGN KEY (order_id) REFERENCES transfer_order(id),
  constraint transfer_receipt_amount_signed CHECK ((amount > 0::numeric) = (cancels_id IS NULL) AND amount <> 0::numeric),
  constraint transfer_receipt_bank_reference_length CHECK (length(bank_reference) <= 100),
  constraint transfer_receipt_cancelled_why CHECK ((cancels_id IS NULL) = (reason IS NULL)),
  constraint transfer_receipt_reason_length CHECK (length(reason) >= 1 AND length(reason) <= 500)
);
CREATE INDEX transfer_receipt_by_order ON transfer_receipt USING btree (order_id, id);
CREATE UNIQUE INDEX transfer_receipt_once ON transfer_receipt USING btree (order_id, bank_reference) WHERE cancels_id IS NULL AND NOT is_cancelled;

create table unsubscribe_link (
  hash bytea not null,
  user_id integer not null,
  kind text not null,
  created_at timestamptz(3) not null default now(),
  constraint unsubscribe_link_pkey PRIMARY KEY (hash),
  constraint unsubscribe_link_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
);
CREATE INDEX unsubscribe_link_by_user ON unsubscribe_link USING btree (user_id);

create table user_role (
  user_id integer not null,
  role_id integer not null,
  constraint user_role_pkey PRIMARY KEY (user_id, role_id),
  constraint user_role_role_fkey FOREIGN KEY (role_id) REFERENCES role(id),
  constraint user_role_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
);
CREATE INDEX user_role_role ON user_role USING btree (role_id);
CREATE TRIGGER user_role_access AFTER INSERT OR DELETE OR UPDATE ON user_role FOR EACH ROW EXECUTE FUNCTION notify_access_changed();

create table webhook_delivery (
  id bigint not null generated always as identity,
  endpoint_id integer not null,
  message_id uuid not null,
  state text not null default 'waiting'::text,
  attempts smallint not null default 0,
  due_at timestamptz(3) not null default now(),
  leased_until timestamptz(3),
  status smallint,
  answer text,
  failure text,
  duration_ms integer,
  attempted_at timestamptz(3),
  constraint webhook_delivery_pkey PRIMARY KEY (id),
  constraint webhook_delivery_once UNIQUE (endpoint_id, message_id),
  constraint webhook_delivery_endpoint_fkey FOREIGN KEY (endpoint_id) REFERENCES webhook_endpoint(id) ON DELETE CASCADE,
  constraint webhook_delivery_message_fkey FOREIGN KEY (message_id) REFERENCES webhook_message(id) ON DELETE CASCADE,
  constraint webhook_delivery_state_known CHECK (state = ANY (ARRAY['waiting'::text, 'done'::text, 'given up'::text, 'refused'::text, 'held'::text]))
);
CREATE INDEX webhook_delivery_due ON webhook_delivery USING btree (endpoint_id, due_at) WHERE state = 'waiting'::text;
CREATE INDEX webhook_delivery_latest ON webhook_delivery USING btree (endpoint_id, id DESC);
CREATE INDEX webhook_delivery_message ON webhook_delivery USING btree (message_id);

create table webhook_endpoint (
  id integer not null generated always as identity,
  user_id integer not null,
  url text not null,
  events text[] not null,
  secret bytea not null,
  former_secret bytea,
  former_until timestamptz(3),
  failing_since timestamptz(3),
  disabled_at timestamptz(3),
  disabled_because text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint webhook_endpoint_pkey PRIMARY KEY (id),
  constraint webhook_endpoint_user_fkey FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  constraint webhook_endpoint_disabled_for_a_reason CHECK ((disabled_at IS NULL) = (disabled_because IS NULL)),
  constraint webhook_endpoint_events_count CHECK (cardinality(events) >= 1 AND cardinality(events) <= 20),
  constraint webhook_endpoint_reason_known CHECK (disabled_because = ANY (ARRAY['owner'::text, 'gone'::text, 'failing'::text])),
  constraint webhook_endpoint_url_length CHECK (length(url) >= 1 AND length(url) <= 500)
);
CREATE INDEX webhook_endpoint_user ON webhook_endpoint USING btree (user_id);
CREATE TRIGGER webhook_endpoint_touch BEFORE UPDATE OF url, events, secret, disabled_at ON webhook_endpoint FOR EACH ROW EXECUTE FUNCTION touch_updated_at();

create table webhook_message (
  id uuid not null default uuidv7(),
  event text not null,
  body text not null,
  created_at timestamptz(3) not null default now(),
  constraint webhook_message_pkey PRIMARY KEY (id)
);
CREATE INDEX webhook_message_by_time ON webhook_message USING btree (created_at);

create table webhook_source (
  is_only boolean not null default true,
  "position" bigint not null,
  ends_told_until timestamptz(3) not null,
  constraint webhook_source_pkey PRIMARY KEY (is_only),
  constraint webhook_source_one CHECK (is_only)
);

create table wfp_market (
  wfp_id bigint not null,
  market_id integer not null,
  constraint wfp_market_pkey PRIMARY KEY (wfp_id),
  constraint wfp_market_market_fkey FOREIGN KEY (market_id) REFERENCES market(id) ON DELETE CASCADE
);
CREATE INDEX wfp_market_by_market ON wfp_market USING btree (market_id);

create table wfp_product (
  wfp_id bigint not null,
  unit text not null,
  format text not null,
  product_id integer not null,
  constraint wfp_product_pkey PRIMARY KEY (wfp_id, unit, format),
  constraint wfp_product_product_fkey FOREIGN KEY (product_id) REFERENCES product(id) ON DELETE CASCADE
);
CREATE INDEX wfp_product_by_product ON wfp_product USING btree (product_id);

create view settled_price as
 SELECT id,
    product_id,
    market_id,
    price_value,
    log_value,
    currency,
    flag,
    collector_name,
    source,
    collected_at,
    observed_on,
    created_at,
    updated_at
   FROM price
  WHERE NOT (EXISTS ( SELECT
           FROM price_review review
          WHERE review.price_id = price.id AND (review.state = ANY (ARRAY['waiting'::text, 'returned'::text]))));

CREATE OR REPLACE FUNCTION add_prices_to_cells()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from new_price where currency <> 'CDF') then
    perform share_rates();
  end if;

  insert into price_day_product as cell (day, product_id, currency, lane, n, total, lowest, highest, sum_log)
  select observed_on, product_id, currency, lane, count(*), sum(price_value), min(price_value), max(price_value), sum(log_value)
    from new_price group by 1, 2, 3, 4 order by 2, 1, 3, 4
  on conflict on constraint price_day_product_pkey do update set
    n = cell.n + excluded.n, total = cell.total + excluded.total, sum_log = cell.sum_log + excluded.sum_log,
    lowest = least(cell.lowest, excluded.lowest), highest = greatest(cell.highest, excluded.highest);

  insert into price_day_market as cell (day, market_id, currency, lane, n, total, lowest, highest, sum_log)
  select observed_on, market_id, currency, lane, count(*), sum(price_value), min(price_value), max(price_value), sum(log_value)
    from new_price group by 1, 2, 3, 4 order by 2, 1, 3, 4
  on conflict on constraint price_day_market_pkey do update set
    n = cell.n + excluded.n, total = cell.total + excluded.total, sum_log = cell.sum_log + excluded.sum_log,
    lowest = least(cell.lowest, excluded.lowest), highest = greatest(cell.highest, excluded.highest);

  insert into price_day as cell (day, currency, lane, n, total, lowest, highest, sum_log, last_collected_at)
  select observed_on, currency, lane, count(*), sum(price_value), min(price_value), max(price_value), sum(log_value), max(collected_at)
    from new_price group by 1, 2, 3 order by 1, 2, 3
  on conflict on constraint price_day_pkey do update set
    n = cell.n + excluded.n, total = cell.total + excluded.total, sum_log = cell.sum_log + excluded.sum_log,
    lowest = least(cell.lowest, excluded.lowest), highest = greatest(cell.highest, excluded.highest),
    last_collected_at = greatest(cell.last_collected_at, excluded.last_collected_at);

  insert into price_week_series as cell (week, product_id, market_id, currency, lane, n, sum_log_cdf)
  select monday_of(observed_on), product_id, market_id, currency, lane, count(*), sum(log_value + log_rate)
    from (select p.*, case currency when 'CDF' then 0 else log_rate_on(observed_on, currency) end as log_rate
            from new_price p) converted
   where log_rate is not null
   group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
  on conflict on constraint price_week_series_pkey do update set
    n = cell.n + excluded.n, sum_log_cdf = cell.sum_log_cdf + excluded.sum_log_cdf;

  insert into price_index_mark select min(observed_on) from new_price having count(*) > 0;
  insert into price_month_written (month)
  select distinct month_of(observed_on) from new_price where observed_on <= last_marked_day();
  insert into row_change (of_table, ids, are_deleted)
  select 'price', int8multirange(int8range(min(id), max(id), '[]')), false from new_price having count(*) > 0;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION audit_facts(entry audit_entry)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select convert_to(jsonb_build_array(entry.id, extract(epoch from entry.at), entry.user_id, entry.action, entry.entity,
                                      entry.entity_id, entry.request_id)::text, 'UTF8')
$function$;

CREATE OR REPLACE FUNCTION audit_values(entry audit_entry)
 RETURNS bytea
 LANGUAGE sql
 STABLE
AS $function$
  select convert_to(jsonb_build_array(entry.before, entry.after, entry.address, entry.user_agent)::text, 'UTF8')
$function$;

CREATE OR REPLACE FUNCTION canonical_address(address text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE STRICT
RETURN (WITH parts AS (SELECT regexp_replace(lower(canonical_address.address), '@[^@]*$'::text, ''::text) AS whole, "substring"(lower(canonical_address.address), '[^@]*$'::text) AS domain), untagged AS (SELECT regexp_replace(parts.whole, '(.)\+.*$'::text, '\1'::text) AS local, (parts.domain = ANY (ARRAY['gmail.com'::text, 'googlemail.com'::text])) AS is_gmail, parts.domain FROM parts) SELECT CASE WHEN untagged.is_gmail THEN (replace(untagged.local, '.'::text, ''::text) || '@gmail.com'::text) ELSE ((untagged.local || '@'::text) || untagged.domain) END AS "case" FROM untagged);

CREATE OR REPLACE FUNCTION cdf_per_usd_on(on_day date)
 RETURNS numeric
 LANGUAGE sql
 STABLE PARALLEL SAFE STRICT
RETURN (SELECT r.cdf_per_usd FROM exchange_rate r WHERE (r.day <= cdf_per_usd_on.on_day) ORDER BY r.day DESC LIMIT 1);

CREATE OR REPLACE FUNCTION contains_pattern(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (('%'::text || regexp_replace(fold(value), '([\\%_])'::text, '\\\1'::text, 'g'::text)) || '%'::text);

CREATE OR REPLACE FUNCTION count_products()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  lane smallint := free_product_lane();
begin
  if tg_op = 'INSERT' then
    insert into row_change (of_table, ids, are_deleted)
    select 'product', range_agg(int8range(id, id, '[]')), false from new_product having count(*) > 0;
    insert into product_count as cell
    select type_id, lane, count(*) from new_product group by 1 order by 1
    on conflict on constraint product_count_pkey do update set n = cell.n + excluded.n;
  elsif tg_op = 'DELETE' then
    insert into row_change (of_table, ids, are_deleted)
    select 'product', range_agg(int8range(id, id, '[]')), true from old_product having count(*) > 0;
    insert into product_count as cell
    select type_id, lane, -count(*) from old_product group by 1 order by 1
    on conflict on constraint product_count_pkey do update set n = cell.n + excluded.n;
  elsif tg_op = 'UPDATE' then
    insert into row_change (of_table, ids, are_deleted)
    select 'product', range_agg(int8range(id, id, '[]')), false from new_product having count(*) > 0;
    insert into product_count as cell
    select type_id, lane, sum(moved)
      from (select type_id, 1 as moved from new_product union all select type_id, -1 from old_product) change
     group by 1 having sum(moved) <> 0 order by 1
    on conflict on constraint product_count_pkey do update set n = cell.n + excluded.n;
  else
    delete from product_count;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION delete_price_photos()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from price_photo where price_id in (select id from old_price);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION erased(held jsonb, VARIADIC places text[])
 RETURNS jsonb
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
declare
  place text;
begin
  foreach place in array places loop
    if jsonb_typeof(held #> string_to_array(place, '.')) = 'string' then
      held := jsonb_set(held, string_to_array(place, '.'), '"(effacé)"');
    end if;
  end loop;
  return held;
end
$function$;

CREATE OR REPLACE FUNCTION fold(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN lower(unaccent('unaccent'::regdictionary, value));

CREATE OR REPLACE FUNCTION forget_next_plan()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update subscription set next_plan_id = null where next_plan_id = new.id;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION forget_row_changes(table_name text, before timestamptz)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  last row_change;
  base row_change;
begin
  -- Nobody may ever have read them: they get their places.
  perform start_of_changes(table_name, null, null);
  perform pg_advisory_xact_lock(7306);
  select * into last from row_change
   where of_table = table_name and place is not null and placed_at < before order by place desc limit 1;
  if last is null or (select count(*) from (
    select from row_change where of_table = table_name and place < last.place limit 2) earlier) < 2 then
    return;
  end if;
  delete from row_change where of_table = table_name and place < last.place;
  execute format('select int8multirange(int8range(min(id), max(id), ''[]'')) from %I having count(*) > 0', table_name) into base.ids;
  if base.ids is null then
    return;
  end if;
  -- Just before the last: who asks from an instant after it is not sent back to the beginning.
  insert into row_change values (table_name, base.ids, false, last.place - 1, last.placed_at - interval '1 microsecond');
end
$function$;

CREATE OR REPLACE FUNCTION free_lane(on_day date)
 RETURNS smallint
 LANGUAGE plpgsql
AS $function$
begin
  for lane in 0..14 loop
    if pg_try_advisory_xact_lock(7301, (on_day - date '2000-01-01') * 16 + lane) then
      return lane;
    end if;
  end loop;
  return pg_backend_pid() % 15;
end
$function$;

CREATE OR REPLACE FUNCTION free_product_lane()
 RETURNS smallint
 LANGUAGE plpgsql
AS $function$
begin
  for lane in 0..14 loop
    if pg_try_advisory_xact_lock(7305, lane) then
      return lane;
    end if;
  end loop;
  return pg_backend_pid() % 15;
end
$function$;

CREATE OR REPLACE FUNCTION free_trial_hash(address text)
 RETURNS bytea
 LANGUAGE sql
 STABLE STRICT
RETURN (SELECT sha256((installation.trial_key || sha256((installation.trial_key || convert_to(canonical_address(free_trial_hash.address), 'UTF8'::name))))) AS sha256 FROM installation);

CREATE OR REPLACE FUNCTION free_trial_of(of_user integer)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN CASE WHEN (EXISTS (SELECT FROM free_trial WHERE (free_trial.user_id = free_trial_of.of_user))) THEN 'own'::text WHEN (EXISTS (SELECT FROM (app_user JOIN free_trial ON ((free_trial.hash = free_trial_hash(app_user.email)))) WHERE ((app_user.id = free_trial_of.of_user) AND (NOT app_user.email_verified) AND (NOT free_trial.is_confirmed)))) THEN 'open'::text ELSE 'taken'::text END;

CREATE OR REPLACE FUNCTION hold_rates()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(7302);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION invoice_payment()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform issue_invoice('invoice', new.id);
  if new.status = 'REFUNDED' then perform issue_invoice('credit_note', new.id); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION is_erasure(old jsonb, new jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
begin
  if new is not distinct from old then return true; end if;
  if jsonb_typeof(old) = 'string' then return new = '"(effacé)"'; end if;
  return coalesce(jsonb_typeof(old) = 'object' and jsonb_typeof(new) = 'object', false)
     and (select count(*) from jsonb_object_keys(old)) = (select count(*) from jsonb_object_keys(new))
     and (select bool_and(new ? key and is_erasure(value, new -> key)) from jsonb_each(old));
end
$function$;

CREATE OR REPLACE FUNCTION issue_invoice(wanted text, paid integer, at timestamptz DEFAULT NULL::timestamptz)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  terms billing_terms;
  given timestamptz(3);
  place integer;
begin
  if exists (select from invoice where payment_id = paid and kind = wanted) then return; end if;
  select * into strict terms from billing_terms for update;
  given := coalesce(at, clock_timestamp());
  insert into invoice_counter (kind, year, last)
  values (wanted, extract(year from given at time zone 'Africa/Kinshasa'), 1)
  on conflict (kind, year) do update set last = invoice_counter.last + 1
  returning last into place;
  if wanted = 'credit_note' then
    insert into invoice (kind, year, rank, payment_id, corrects_id, user_id, issued_at, plan, billing_period, period_start, period_end,
                         amount, currency, vat_rate, vat_amount, vat_text, payment_terms, seller, buyer, payment_method, reference, reason)
    select wanted, extract(year from given at time zone 'Africa/Kinshasa'), place, paid, i.id, i.user_id, given, i.plan, i.billing_period,
           i.period_start, i.period_end, i.amount, i.currency, i.vat_rate, i.vat_amount, i.vat_text, i.payment_terms, terms.seller, i.buyer,
           i.payment_method, i.reference, p.refund_reason
      from invoice i join payment p on p.id = i.payment_id where i.payment_id = paid and i.kind = 'invoice';
    return;
  end if;
  insert into invoice (kind, year, rank, payment_id, user_id, issued_at, plan, billing_period, period_start, period_end,
                       amount, currency, vat_rate, vat_amount, vat_text, payment_terms, seller, buyer, payment_method, reference)
  select wanted, extract(year from given at time zone 'Africa/Kinshasa'), place, p.id, p.user_id, given, plan.name,
         coalesce(p.billing_period, plan.billing_period), s.start_date, s.end_date,
         p.amount, p.currency, terms.vat_rate, round(p.amount - p.amount / (1 + terms.vat_rate / 100), 2), terms.vat_text,
         terms.payment_terms, terms.seller,
         jsonb_build_object('name', coalesce(b.name, u.name), 'address', b.address, 'taxNumber', b.tax_number,
                            'email', coalesce(b.email, u.email)),
         p.payment_method, p.transaction_ref
    from payment p join app_user u on u.id = p.user_id left join billing_details b on b.user_id = u.id
         left join plan on plan.id = p.plan_id left join subscription s on s.id = p.subscription_id and s.plan_id is not null
   where p.id = paid;
end $function$;

CREATE OR REPLACE FUNCTION issue_missing_invoices()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  missing record;
begin
  for missing in
    select 'invoice' as kind, id, created_at as at from payment where status in ('PAID', 'REFUNDED')
    union all
    select 'credit_note', id, greatest(updated_at, created_at) from payment where status = 'REFUNDED'
    order by at, id, kind desc
  loop
    perform issue_invoice(missing.kind, missing.id, missing.at);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION keep_edition()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' or (to_jsonb(new) - 'superseded_by') <> (to_jsonb(old) - 'superseded_by')
     or old.superseded_by is not null then
    raise exception 'editions never change';
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION keep_local_days()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update price set collected_at = (collected_at at time zone old.time_zone) at time zone new.time_zone
   where market_id = new.id and observed_on <> (collected_at at time zone new.time_zone)::date;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION last_marked_day()
 RETURNS date
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (month_of(((now())::date - 7)) - 1);

CREATE OR REPLACE FUNCTION link_audit(most integer, behind integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
declare
  after_id bigint;
  entry audit_entry;
  last audit_link;
  salt bytea;
  digest bytea;
  linked integer := 0;
begin
  perform pg_advisory_xact_lock(hashtext('links of the journal'));
  select * into last from audit_link order by position desc limit 1;
  select coalesce(min(entry_id), 0) into after_id
    from audit_link where position > last.position - behind;
  if last.position <= behind then after_id := 0; end if;
  for entry in
    select e.* from audit_entry e
     where e.id > after_id and not exists (select from audit_link l where l.entry_id = e.id)
     order by e.id limit most
  loop
    salt := uuid_send(gen_random_uuid());
    digest := sha256(salt || audit_values(entry));
    last.position := coalesce(last.position, 0) + 1;
    last.hash := sha256(coalesce(last.hash, '') || audit_facts(entry) || digest);
    insert into audit_link values (last.position, entry.id, salt, digest, last.hash);
    linked := linked + 1;
  end loop;
  return linked;
end
$function$;

CREATE OR REPLACE FUNCTION log_rate_on(on_day date, in_currency text)
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE STRICT
RETURN CASE in_currency WHEN 'CDF'::text THEN (0)::bigint ELSE (SELECT r.log_rate FROM exchange_rate r WHERE (r.day <= log_rate_on.on_day) ORDER BY r.day DESC LIMIT 1) END;

CREATE OR REPLACE FUNCTION mark_all_days()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into price_index_mark values (null);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION mark_all_months()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into price_month_written (month) select month from price_month_counted;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION mark_due_moved_prices()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into alert_due (product_id, market_id)
  select distinct old_price.product_id, old_price.market_id
    from old_price join new_price using (id)
   where (old_price.product_id, old_price.market_id, old_price.observed_on)
           is distinct from (new_price.product_id, new_price.market_id, new_price.observed_on)
     and exists (select from alert_rule rule where rule.product_id = old_price.product_id
                    and (rule.market_id is null or rule.market_id = old_price.market_id));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION mark_due_removed_prices()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into alert_due (product_id, market_id)
  select distinct product_id, market_id from old_price
   where exists (select from alert_rule rule where rule.product_id = old_price.product_id
                    and (rule.market_id is null or rule.market_id = old_price.market_id));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION merge_product_type(merged integer, target integer)
 RETURNS void
 LANGUAGE sql
AS $function$
  update product set type_id = target where type_id = merged;
  delete from product_type_weight mine using product_type_weight other
   where mine.type_id = merged and other.type_id = target and other.day = mine.day;
  update product_type_weight set type_id = target where type_id = merged;
  select move_selections('typeId', merged, target);
  delete from product_type where id = merged;
$function$;

CREATE OR REPLACE FUNCTION monday_of(day date)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (day - ((EXTRACT(isodow FROM day))::integer - 1));

CREATE OR REPLACE FUNCTION month_of(day date)
 RETURNS date
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN (date_trunc('month'::text, (day)::timestamp without time zone))::date;

CREATE OR REPLACE FUNCTION move_selections(filter text, merged integer, target integer)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  chosen text := '(^|[?&])' || filter || '=' || merged || '(?=&|$)';
  kept text := '\1' || filter || '=' || target;
begin
  update report set blocks = (
      select jsonb_agg(case when block -> 'selection' ->> filter = merged::text
                            then jsonb_set(block, array['selection', filter], to_jsonb(target)) else block end
                       order by place)
        from jsonb_array_elements(blocks) with ordinality as listed (block, place))
   where exists (select from jsonb_array_elements(blocks) block where block -> 'selection' ->> filter = merged::text);
  update saved_view set search = regexp_replace(search, chosen, kept, 'g') where search ~ chosen;
  update share set search = regexp_replace(search, chosen, kept, 'g') where search ~ chosen;
  if filter = 'productId' then
    update saved_view set search = move_series(search, merged, target) where search <> move_series(search, merged, target);
    update share set search = move_series(search, merged, target) where search <> move_series(search, merged, target);
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION move_series(search text, merged integer, target integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
AS $function$
  select coalesce(replace(search, found[1],
      regexp_replace(found[1], '(=|,|%2C)' || merged || '-(?=[0-9])', '\1' || target || '-', 'gi')), search)
    from (select regexp_match(search, '(?:^|[?&])(series=[^&]*)') as found) matched
$function$;

CREATE OR REPLACE FUNCTION noon_of(day date, time_zone text)
 RETURNS timestamptz
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$
  select least((day + time '12:00') at time zone time_zone, now())
$function$;

CREATE OR REPLACE FUNCTION note_free_trial()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into free_trial as trial (hash, user_id, is_confirmed)
  values (free_trial_hash(new.email), new.id, new.email_verified)
  on conflict (hash) do update set user_id = excluded.user_id, is_confirmed = true
   where excluded.is_confirmed and not trial.is_confirmed;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION note_price_shown_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed bigint := coalesce(new.price_id, old.price_id);
begin
  -- A price written in this transaction is noted already.
  insert into row_change (of_table, ids, are_deleted)
  select 'price', int8multirange(int8range(changed, changed, '[]')), false
    from price where id = changed and xmin <> pg_current_xact_id()::xid;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION note_row_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into row_change (of_table, ids, are_deleted)
  values (tg_table_name, int8multirange(int8range(coalesce(new.id, old.id), coalesce(new.id, old.id), '[]')), tg_op = 'DELETE');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION note_shown_by_products()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into row_change (of_table, ids, are_deleted)
  select 'product', range_agg(int8range(id, id, '[]')), false
    from product
   where tg_table_name = 'brand' and brand_id = new.id
      or tg_table_name = 'product_type' and type_id = new.id
      or tg_table_name = 'category' and type_id in (select type.id from product_type type where type.category_id = new.id)
  having count(*) > 0;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION notify_access_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := coalesce(to_jsonb(new), to_jsonb(old));
begin
  perform pg_notify('access_changed', coalesce(changed ->> 'user_id', changed ->> 'id', '*'));
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION notify_free_trial_lost()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('access_changed', old.user_id::text);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION notify_job_added()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('job_added', '');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION notify_members()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed jsonb := coalesce(to_jsonb(new), to_jsonb(old));
  owner integer := coalesce(changed ->> 'owner_id', changed ->> 'user_id')::integer;
begin
  perform pg_notify('access_changed', of_user::text)
     from (select user_id from seat where owner_id = owner
           union select owner union select (changed ->> 'user_id')::integer) people (of_user)
    where of_user is not null;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION permissions_of(of_user integer)
 RETURNS text[]
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN COALESCE((SELECT array_agg(DISTINCT p.name ORDER BY p.name) AS array_agg FROM ((role r JOIN role_permission rp ON ((rp.role_id = r.id))) JOIN permission p ON ((p.id = rp.permission_id))) WHERE ((r.id IN (SELECT ur.role_id FROM user_role ur WHERE (ur.user_id = permissions_of.of_user))) OR ((r.name = 'user'::text) AND (NOT (EXISTS (SELECT FROM user_role ur WHERE (ur.user_id = permissions_of.of_user))))))), '{}'::text[]);

CREATE OR REPLACE FUNCTION planned_days(since date, until date)
 RETURNS TABLE(plan_id bigint, user_id integer, market_id integer, due_on date, is_done boolean)
 LANGUAGE sql
 STABLE
AS $function$
  select plan.id, plan.user_id, plan.market_id, due.at::date,
         exists (select from collection_entry entry
                  where entry.user_id = plan.user_id and entry.market_id = plan.market_id and entry.answers is null
                    and date_trunc(case when plan.day is null then 'week' else 'day' end,
                                   entry.captured_at at time zone market.time_zone)
                      = date_trunc(case when plan.day is null then 'week' else 'day' end, due.at))
    from planned_visit plan
    join market on market.id = plan.market_id
   cross join lateral generate_series(since::timestamp, until::timestamp, interval '1 day') due (at)
   where due.at::date = plan.day
      or extract(isodow from due.at) = plan.weekday and due.at::date >= (plan.created_at at time zone market.time_zone)::date
$function$;

CREATE OR REPLACE FUNCTION recompute_cells(products price_cell[], markets price_cell[], days price_cell[], weeks price_cell[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from unnest(weeks) where currency <> 'CDF') then
    perform share_rates();
  end if;
  perform recompute_product_cells(products);
  perform recompute_market_cells(markets);
  perform recompute_day_cells(days);
  perform recompute_week_cells(weeks);
  insert into price_index_mark select min(cell.day) from unnest(weeks) cell having count(*) > 0;
end
$function$;

CREATE OR REPLACE FUNCTION recompute_cells_of_added_rates()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform recompute_cells_of_rate(day) from new_rate;
  insert into row_change (of_table, ids, are_deleted)
  select 'exchange_rate', range_agg(int8range(id, id, '[]')), false from new_rate having count(*) > 0;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION recompute_cells_of_changed_prices()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform recompute_cells(
      array_agg(cell) filter (where is_moved or o.product_id <> n.product_id),
      array_agg(cell) filter (where is_moved or o.market_id <> n.market_id),
      array_agg(cell) filter (where is_moved or o.collected_at <> n.collected_at),
      array_agg(cell) filter (where is_moved or (o.product_id, o.market_id) <> (n.product_id, n.market_id)))
    from old_price o join new_price n using (id)
   cross join lateral (select (o.observed_on, o.currency, o.lane, o.price_value) <> (n.observed_on, n.currency, n.lane, n.price_value)) moved (is_moved)
   cross join lateral (values
     ((o.observed_on, o.product_id, o.market_id, o.currency, o.lane)::price_cell),
     ((n.observed_on, n.product_id, n.market_id, n.currency, n.lane)::price_cell)) touched (cell);
  insert into price_month_written (month)
  select month_of(observed_on) from old_price where observed_on <= last_marked_day()
   union
  select month_of(observed_on) from new_price where observed_on <= last_marked_day();
  insert into row_change (of_table, ids, are_deleted)
  select 'price', range_agg(int8range(id, id, '[]')), false from new_price having count(*) > 0;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION recompute_cells_of_changed_rates()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform recompute_cells_of_rate(day) from (select day from old_rate union select day from new_rate) changed;
  insert into row_change (of_table, ids, are_deleted)
  select 'exchange_rate', range_agg(int8range(id, id, '[]')), false from new_rate having count(*) > 0;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION recompute_cells_of_rate(from_day date)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into price_index_mark values (from_day);
  select recompute_week_cells((
    select array_agg(distinct (observed_on, product_id, market_id, currency, lane)::price_cell) from price
     where currency = 'USD' and observed_on >= from_day
       and observed_on < coalesce((select min(r.day) from exchange_rate r where r.day > from_day), 'infinity')))
$function$;

CREATE OR REPLACE FUNCTION recompute_cells_of_removed_prices()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  touched price_cell[] := (
    select array_agg((observed_on, product_id, market_id, currency, lane)::price_cell) from old_price);
begin
  perform recompute_cells(touched, touched, touched, touched);
  insert into price_month_written (month)
  select distinct month_of(observed_on) from old_price where observed_on <= last_marked_day();
  insert into row_change (of_table, ids, are_deleted)
  select 'price', range_agg(int8range(id, id, '[]')), true from old_price having count(*) > 0;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION recompute_cells_of_removed_rates()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Their prices fall back to the rate before: the stretch to recompute starts where the removed rate did.
  perform recompute_cells_of_rate(day) from old_rate;
  insert into row_change (of_table, ids, are_deleted)
  select 'exchange_rate', range_agg(int8range(id, id, '[]')), true from old_rate having count(*) > 0;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION recompute_day_cells(touched price_cell[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into price_day as cell (day, currency, lane)
  select distinct day, currency, lane from unnest(touched) order by 1, 2, 3
  on conflict on constraint price_day_pkey do update set n = cell.n where false;
  update price_day cell set n = fresh.n, total = fresh.total, lowest = fresh.lowest, highest = fresh.highest, sum_log = fresh.sum_log,
                            last_collected_at = fresh.last_collected_at
    from (select t.day, t.currency, t.lane, count(p.id) as n, coalesce(sum(p.price_value), 0) as total,
                 min(p.price_value) as lowest, max(p.price_value) as highest, coalesce(sum(p.log_value), 0) as sum_log,
                 max(p.collected_at) as last_collected_at
            from (select distinct day, currency, lane from unnest(touched)) t
            left join price p on p.observed_on = t.day and p.currency = t.currency and p.lane = t.lane
           group by 1, 2, 3) fresh
   where (cell.day, cell.currency, cell.lane) = (fresh.day, fresh.currency, fresh.lane);
end
$function$;

CREATE OR REPLACE FUNCTION recompute_market_cells(touched price_cell[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into price_day_market as cell (market_id, day, currency, lane)
  select distinct market_id, day, currency, lane from unnest(touched) order by 1, 2, 3, 4
  on conflict on constraint price_day_market_pkey do update set n = cell.n where false;
  update price_day_market cell set n = fresh.n, total = fresh.total, lowest = fresh.lowest, highest = fresh.highest, sum_log = fresh.sum_log
    from (select t.market_id, t.day, t.currency, t.lane, count(p.id) as n, coalesce(sum(p.price_value), 0) as total,
                 min(p.price_value) as lowest, max(p.price_value) as highest, coalesce(sum(p.log_value), 0) as sum_log
            from (select distinct market_id, day, currency, lane from unnest(touched)) t
            left join price p on p.market_id = t.market_id and p.observed_on = t.day and p.currency = t.currency and p.lane = t.lane
           group by 1, 2, 3, 4) fresh
   where (cell.market_id, cell.day, cell.currency, cell.lane) = (fresh.market_id, fresh.day, fresh.currency, fresh.lane);
end
$function$;

CREATE OR REPLACE FUNCTION recompute_product_cells(touched price_cell[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into price_day_product as cell (product_id, day, currency, lane)
  select distinct product_id, day, currency, lane from unnest(touched) order by 1, 2, 3, 4
  on conflict on constraint price_day_product_pkey do update set n = cell.n where false;
  update price_day_product cell set n = fresh.n, total = fresh.total, lowest = fresh.lowest, highest = fresh.highest, sum_log = fresh.sum_log
    from (select t.product_id, t.day, t.currency, t.lane, count(p.id) as n, coalesce(sum(p.price_value), 0) as total,
                 min(p.price_value) as lowest, max(p.price_value) as highest, coalesce(sum(p.log_value), 0) as sum_log
            from (select distinct product_id, day, currency, lane from unnest(touched)) t
            left join price p on p.product_id = t.product_id and p.observed_on = t.day and p.currency = t.currency and p.lane = t.lane
           group by 1, 2, 3, 4) fresh
   where (cell.product_id, cell.day, cell.currency, cell.lane) = (fresh.product_id, fresh.day, fresh.currency, fresh.lane);
end
$function$;

CREATE OR REPLACE FUNCTION recompute_week_cells(touched price_cell[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  insert into price_week_series as cell (week, product_id, market_id, currency, lane)
  select distinct monday_of(day), product_id, market_id, currency, lane from unnest(touched) order by 1, 2, 3, 4, 5
  on conflict on constraint price_week_series_pkey do update set n = cell.n where false;
  update price_week_series cell set n = fresh.n, sum_log_cdf = fresh.sum_log_cdf
    from (select t.week, t.product_id, t.market_id, t.currency, t.lane,
                 count(p.log_cdf) as n, coalesce(sum(p.log_cdf), 0) as sum_log_cdf
            from (select distinct monday_of(day) as week, product_id, market_id, currency, lane from unnest(touched)) t
            left join lateral (
              select log_value + log_rate_on(observed_on, t.currency) as log_cdf from price
               where product_id = t.product_id and market_id = t.market_id and currency = t.currency and lane = t.lane
                 and observed_on between t.week and t.week + 6) p on true
           group by 1, 2, 3, 4, 5) fresh
   where (cell.week, cell.product_id, cell.market_id, cell.currency, cell.lane)
       = (fresh.week, fresh.product_id, fresh.market_id, fresh.currency, fresh.lane);
end
$function$;

CREATE OR REPLACE FUNCTION refuse_change_of_audit()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and current_setting('ntalo.erases', true) <> ''
     and (new.id, new.at, new.user_id, new.action, new.entity, new.entity_id, new.request_id)
         is not distinct from (old.id, old.at, old.user_id, old.action, old.entity, old.entity_id, old.request_id)
     and is_erasure(old.before, new.before) and is_erasure(old.after, new.after)
     and coalesce(new.address = old.address, new.address is null)
     and coalesce(new.user_agent = old.user_agent, new.user_agent is null) then
    return new;
  end if;
  raise exception 'audit entries are only added' using errcode = 'insufficient_privilege';
end
$function$;

CREATE OR REPLACE FUNCTION refuse_change_of_link()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and new.salt is null
     and (new.position, new.entry_id, new.values_digest, new.hash) is not distinct from (old.position, old.entry_id, old.values_digest, old.hash) then
    return new;
  end if;
  raise exception 'links of the journal are only added' using errcode = 'insufficient_privilege';
end
$function$;

CREATE OR REPLACE FUNCTION refuse_invoice_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'an invoice does not change';
end $function$;

CREATE OR REPLACE FUNCTION share_rates()
 RETURNS void
 LANGUAGE sql
AS $function$ select pg_advisory_xact_lock_shared(7302) $function$;

CREATE OR REPLACE FUNCTION start_of_changes(table_name text, at_place bigint, since timestamptz)
 RETURNS row_change
 LANGUAGE plpgsql
AS $function$
declare
  found row_change;
begin
  if exists (select from row_change where of_table = table_name and place is null) then
    perform pg_advisory_xact_lock(7306);
    select * into found from row_change where of_table = table_name and place is not null order by place desc limit 1;
    update row_change change
       set place = coalesce(found.place, 0) + waiting.rank, placed_at = greatest(clock_timestamp(), found.placed_at)
      from (select ctid, row_number() over () as rank from row_change where of_table = table_name and place is null) waiting
     where change.ctid = waiting.ctid;
  end if;
  select * into found from row_change
   where of_table = table_name and place is not null and (place = at_place or at_place is null and placed_at < since)
   order by place desc limit 1;
  return found;
end
$function$;

CREATE OR REPLACE FUNCTION subscription_status(status text, end_date timestamptz)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN CASE WHEN ((status = ANY (ARRAY['ACTIVE'::text, 'TRIAL'::text])) AND (end_date <= now())) THEN 'EXPIRED'::text ELSE status END;

CREATE OR REPLACE FUNCTION tell_of_rates()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('price_changed', 'rate-' || pg_current_xact_id()::text || ' {"prices":null}');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION touch_unless_told()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if new.updated_at is not distinct from old.updated_at then
    new.updated_at := greatest(now(), old.updated_at + interval '1 millisecond');
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION touch_updated_at()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.updated_at := greatest(now(), old.updated_at + interval '1 millisecond');
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION withdraw_reviews()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update price_review set state = 'withdrawn', decided_at = now()
   where state in ('waiting', 'returned') and price_id in (select id from old_price);
  return null;
end
$function$;
