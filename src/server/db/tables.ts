// Written by scripts/dump-schema.mjs from the migrations. Not to be edited.

import type { ColumnType, GeneratedAlways } from 'kysely'

/** May be left out of an insert. */
type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U>
    ? ColumnType<S, I | undefined, U>
    : ColumnType<T, T | undefined, T>

/** Exact in the database; a text keeps every digit on the way in. */
type Exact = ColumnType<number, number | string, number | string>

/** An ISO text in UTC, as in 2026-01-31T12:00:00.000Z. */
type Instant = ColumnType<string, string | Date, string | Date>

/** Given as a text, because pg would write a JavaScript array as an array of PostgreSQL. */
type Json = ColumnType<unknown, string, string>

interface AccountLinkTable {
  hash: Buffer
  user_id: number
  purpose: string
  email: string
  expires_at: Instant
  used_at: Instant | null
  created_at: Generated<Instant>
}

interface AgentMarketTable {
  user_id: number
  market_id: number
}

interface AlertDueTable {
  product_id: number
  market_id: number
}

interface AlertEventTable {
  id: GeneratedAlways<number>
  user_id: number
  rule_id: number | null
  product_id: number
  market_id: number
  sentence: string
  price: Exact
  day: string
  quotes: number
  created_at: Generated<Instant>
  read_at: Instant | null
  short: Generated<string>
}

interface AlertNoticeTable {
  event_id: number
  channel: string
  state: string
  sent_at: Instant | null
}

interface AlertReadingTable {
  is_only: Generated<boolean>
  cursor: string | null
  silences_on: string | null
}

interface AlertRuleTable {
  id: GeneratedAlways<number>
  user_id: number
  product_id: number
  market_id: number | null
  kind: string
  direction: string
  threshold: Exact
  period_days: number
  channels: string[]
  muted_until: Instant | null
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

interface AlertStateTable {
  rule_id: number
  market_id: number
  is_ringing: boolean
  rang_at: Instant | null
}

interface ApiCallTable {
  key_id: number
  day: string
  calls: number
}

interface ApiKeyTable {
  id: GeneratedAlways<number>
  user_id: number
  name: string
  hash: Buffer
  prefix: string
  scopes: string[]
  version: string
  expires_at: Instant | null
  revoked_at: Instant | null
  last_used_at: Instant | null
  created_at: Generated<Instant>
  is_read_only: Generated<boolean>
}

interface ApiUsageTable {
  user_id: number
  window: string
  starts_at: Instant
  used: number
}

interface AppUserTable {
  id: GeneratedAlways<number>
  name: string
  email: string
  password_hash: string | null
  status: Generated<string>
  location: string | null
  avatar_url: string | null
  auth_provider: Generated<string>
  email_verified: Generated<boolean>
  first_signed_in_at: Instant | null
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
  google_sub: string | null
}

interface AuditCheckTable {
  id: GeneratedAlways<number>
  at: Generated<Instant>
  links: number
  erased: number
  head: Buffer
  entry_id: number | null
  fault: string | null
}

interface AuditEntryTable {
  id: GeneratedAlways<number>
  at: Generated<Instant>
  user_id: number | null
  action: string
  entity: string
  entity_id: number | null
  before: Json | null
  after: Json | null
  request_id: string | null
  address: string | null
  user_agent: string | null
  erased_at: Instant | null
}

interface AuditLinkTable {
  position: number
  entry_id: number
  salt: Buffer | null
  values_digest: Buffer
  hash: Buffer
}

interface BillingDetailsTable {
  user_id: number
  name: string
  address: string | null
  tax_number: string | null
  email: string
  updated_at: Generated<Instant>
}

interface BillingTermsTable {
  id: Generated<boolean>
  seller: Generated<Json>
  vat_rate: Generated<Exact>
  vat_text: Generated<string>
  payment_terms: Generated<string>
}

interface BrandTable {
  id: GeneratedAlways<number>
  name: string
  country: string
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

interface CategoryTable {
  id: GeneratedAlways<number>
  name: string
  description: string | null
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

interface ChannelAddressTable {
  id: GeneratedAlways<number>
  user_id: number
  channel: string
  address: string | null
  confirmed_at: Instant | null
  stopped_at: Instant | null
  stopped_because: string | null
  wanted_address: string | null
  proof: Buffer | null
  proof_until: Instant | null
  tries: Generated<number>
  created_at: Generated<Instant>
}

interface CollectionEntryTable {
  id: GeneratedAlways<number>
  client_id: string
  user_id: number | null
  device: string
  market_id: number
  product_id: number
  kind: string
  reason: string | null
  is_blind: boolean
  body_hash: Buffer
  device_at: Instant
  captured_at: Instant
  received_at: Generated<Instant>
  price_id: number | null
  is_replaced: Generated<boolean>
  answers: number | null
}

interface ContactMessageTable {
  id: GeneratedAlways<number>
  name: string
  email: string
  subject: string | null
  message: string
  is_handled: Generated<boolean>
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
  is_noted: Generated<boolean>
}

interface DepositTable {
  id: string
  payment_id: number
  phone: string | null
  operator: string | null
  state: Generated<string>
  failure_code: string | null
  provider_ref: string | null
  next_check_at: Instant | null
  attempts: Generated<number>
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
  provider: string | null
  page_url: string | null
  left_as: string | null
  open_with: Generated<number[]>
}

interface DeviceKeyTable {
  session_id: number
  public_key: Buffer
  name: string
  counter: Generated<number>
  last_used_at: Generated<Instant>
  created_at: Generated<Instant>
}

interface EarlyReceiptTable {
  provider: string
  reference: string
  state: string
  created_at: Generated<Instant>
}

interface EditionTable {
  number: number
  month: string
  rows: number
  method: string
  files: Json
  superseded_by: number | null
  created_at: Generated<Instant>
}

interface ExchangeRateTable {
  day: string
  cdf_per_usd: Exact
  log_rate: GeneratedAlways<number>
  source: string | null
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
  id: GeneratedAlways<number>
}

interface FollowTable {
  id: GeneratedAlways<number>
  user_id: number
  product_id: number | null
  market_id: number | null
  created_at: Generated<Instant>
}

interface FreeTrialTable {
  hash: Buffer
  user_id: number | null
  is_confirmed: boolean
}

interface IdempotentRequestTable {
  user_id: number
  key: string
  fingerprint: Buffer
  answer: Json | null
  created_at: Generated<Instant>
}

interface ImportTable {
  id: GeneratedAlways<number>
  kind: string
  file_name: string
  file_bytes: number
  stored_as: string | null
  currency_map: Generated<Json>
  state: Generated<string>
  stage: string | null
  rows_read: Generated<number>
  bytes_read: Generated<number>
  report: Json | null
  failure: string | null
  first_price_id: number | null
  last_price_id: number | null
  created: Json | null
  author_id: number | null
  author_name: string | null
  request_id: string | null
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
  ended_at: Instant | null
  actor_id: number | null
  actor_name: string | null
  table_head: Json | null
  mapping: Json | null
}

interface ImportMappingTable {
  id: GeneratedAlways<number>
  kind: string
  name: string
  titles: string[]
  content: Json
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

interface InstallationTable {
  id: Generated<boolean>
  has_demonstration_data: Generated<boolean>
  trial_key: Generated<Buffer>
  clock_accepted_entry: Generated<number>
}

interface InvoiceTable {
  id: GeneratedAlways<number>
  kind: string
  year: number
  rank: number
  number: GeneratedAlways<string>
  payment_id: number
  corrects_id: number | null
  user_id: number
  issued_at: Instant
  plan: string | null
  billing_period: string | null
  period_start: Instant | null
  period_end: Instant | null
  amount: Exact
  currency: string
  vat_rate: Exact
  vat_amount: Exact
  vat_text: string
  payment_terms: string
  seller: Json
  buyer: Json
  payment_method: string
  reference: string | null
  reason: string | null
}

interface InvoiceCounterTable {
  kind: string
  year: number
  last: number
}

interface JobTable {
  id: GeneratedAlways<number>
  task: string
  payload: Generated<Json>
  schedule: string | null
  run_at: Generated<Instant>
  attempts: Generated<number>
  last_error: string | null
  created_at: Generated<Instant>
}

interface KnownDeviceTable {
  user_id: number
  hash: Buffer
  expires_at: Instant
}

interface MadeReportTable {
  id: GeneratedAlways<number>
  user_id: number
  asked: Json
  state: Generated<string>
  file_name: string
  pdf: Buffer | null
  created_at: Generated<Instant>
  ended_at: Instant | null
  sha256: string | null
}

interface MarketTable {
  id: GeneratedAlways<number>
  name: string
  location: string
  province: string | null
  latitude: Exact | null
  longitude: Exact | null
  time_zone: Generated<string>
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

interface MarketListTable {
  market_id: number
  product_id: number
  quotes_wanted: Generated<number>
  created_at: Generated<Instant>
}

interface MergedProductTable {
  id: number
  product_id: number
}

interface NotificationChoiceTable {
  user_id: number
  kind: string
  is_wanted: boolean
}

interface OutgoingMailTable {
  id: GeneratedAlways<number>
  key: Generated<string>
  recipient: string
  reply_to: string | null
  content: Json
  send_at: Generated<Instant>
  attempts: Generated<number>
  last_error: string | null
  created_at: Generated<Instant>
}

interface OutgoingMessageTable {
  id: Generated<string>
  user_id: number | null
  channel: string
  address: string
  purpose: string
  content: string | null
  cause: string | null
  state: Generated<string>
  attempts: Generated<number>
  due_at: Generated<Instant>
  leased_until: Instant | null
  provider: string | null
  reference: string | null
  failure: string | null
  created_at: Generated<Instant>
}

interface PaymentTable {
  id: GeneratedAlways<number>
  subscription_id: number | null
  amount: Exact
  currency: Generated<string>
  status: Generated<string>
  payment_method: Generated<string>
  transaction_ref: string | null
  authorization_code: string | null
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
  user_id: number
  plan_id: number | null
  billing_period: string | null
  refund_reason: string | null
  credit: Generated<Exact>
  replaces_id: number | null
  link_id: number | null
  is_by_link: Generated<boolean>
}

interface PaymentLinkTable {
  id: GeneratedAlways<number>
  token: string
  user_id: number
  plan_id: number
  created_at: Generated<Instant>
  expires_at: Instant
}

interface PermissionTable {
  id: GeneratedAlways<number>
  name: string
  description: string | null
  is_seeded: Generated<boolean>
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

interface PlanTable {
  id: GeneratedAlways<number>
  name: string
  description: string | null
  price: Exact
  currency: Generated<string>
  billing_period: Generated<string>
  is_active: Generated<boolean>
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
  features: Generated<string[]>
  calls_per_minute: Generated<number>
  calls_per_month: Generated<number>
  sms_per_month: Generated<number>
  seats: Generated<number>
}

interface PlannedVisitTable {
  id: GeneratedAlways<number>
  market_id: number
  user_id: number
  day: string | null
  weekday: number | null
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

interface PriceTable {
  id: GeneratedAlways<number>
  product_id: number
  market_id: number
  price_value: Exact
  log_value: GeneratedAlways<number>
  currency: Generated<string>
  flag: Generated<string>
  collector_name: string
  source: string | null
  collected_at: Instant
  observed_on: string
  lane: Generated<number>
  written_by: number | null
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
  import_id: number | null
}

interface PriceAlertTable {
  product_id: number
  market_id: number
  kind: string
  log_change: number
  overall: number | null
  last_day: string
  shown: number
  usual: number
}

interface PriceDayTable {
  day: string
  currency: string
  lane: number
  n: Generated<number>
  total: Generated<Exact>
  lowest: Exact | null
  highest: Exact | null
  sum_log: Generated<Exact>
  last_collected_at: Instant | null
}

interface PriceDayCategoryTable {
  category_id: number
  day: string
  currency: string
  n: number
  total: Exact
  lowest: Exact
  highest: Exact
}

interface PriceDayMarketTable {
  day: string
  market_id: number
  currency: string
  lane: number
  n: Generated<number>
  total: Generated<Exact>
  lowest: Exact | null
  highest: Exact | null
  sum_log: Generated<Exact>
}

interface PriceDayProductTable {
  day: string
  product_id: number
  currency: string
  lane: number
  n: Generated<number>
  total: Generated<Exact>
  lowest: Exact | null
  highest: Exact | null
  sum_log: Generated<Exact>
}

interface PriceIndexTable {
  scope: string
  key: string
  start: string
  levels: number[]
  errors: number[]
  series: number
  products: number
  known_series: number
  last_day: string
  quoted: number[]
  market_days: string[]
  clusters: number
}

interface PriceIndexFitTable {
  is_only: Generated<boolean>
  fitted_at: Generated<Instant>
  windows_from: Generated<string | null>
  windows_at: Generated<Instant>
}

interface PriceIndexMarkTable {
  day: string | null
}

interface PriceIndexWindowTable {
  scope: string
  key: string
  week: string
  levels: number[]
}

interface PriceMonthTable {
  month: string
  dimension: string
  key: string
  n: number
  last_day: string
}

interface PriceMonthCountedTable {
  month: string
}

interface PriceMonthWrittenTable {
  id: GeneratedAlways<number>
  month: string
}

interface PricePhotoTable {
  price_id: number
  sha256: Buffer
  image: string
  user_id: number | null
  received_at: Generated<Instant>
}

interface PriceReviewTable {
  id: GeneratedAlways<number>
  price_id: number
  product_id: number
  market_id: number
  observed_on: string
  agent_id: number | null
  reasons: string[]
  evidence: Json
  state: Generated<string>
  price_value: Exact
  currency: string
  new_value: Exact | null
  new_currency: string | null
  comment: string | null
  due_on: string | null
  returned_at: Instant | null
  is_maintained: Generated<boolean>
  decided_by: number | null
  decided_at: Instant | null
  created_at: Generated<Instant>
}

interface PriceRevisionTable {
  import_id: number
  price_id: number
  price_value: Exact
  currency: string
  revised_at: Instant
  updated_at: Instant | null
}

interface PriceWeekSeriesTable {
  week: string
  product_id: number
  market_id: number
  currency: string
  lane: number
  n: Generated<number>
  sum_log_cdf: Generated<number>
}

interface ProductTable {
  id: GeneratedAlways<number>
  code: string
  name: string
  type_id: number
  brand_id: number | null
  weight: string
  price: Exact | null
  currency: Generated<string>
  origin: string
  format: string
  image: string | null
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
  folded: GeneratedAlways<string>
}

interface ProductAliasTable {
  code: string
  product_id: number
}

interface ProductCountTable {
  type_id: number
  lane: number
  n: number
}

interface ProductTypeTable {
  id: GeneratedAlways<number>
  name: string
  category_id: number
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
  kind: Generated<string>
}

interface ProductTypeWeightTable {
  id: GeneratedAlways<number>
  type_id: number
  day: string
  weight: Exact
  source: string
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

interface PublishedInflationTable {
  id: GeneratedAlways<number>
  publisher: string
  measure: string
  week: string
  location: string | null
  value: Exact
  source: string
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

interface QuotaWarningTable {
  user_id: number
  month: string
  percent: number
  sent_at: Generated<Instant>
}

interface RateLimitTable {
  key: string
  hits: number
  resets_at: Instant
  spent_windows: Generated<number>
}

interface RateRevisionTable {
  import_id: number
  rate_id: number
  cdf_per_usd: Exact | null
  source: string | null
  revised_at: Instant
}

interface RecoveryCodeTable {
  user_id: number
  hash: Buffer
}

interface ReportTable {
  id: GeneratedAlways<number>
  user_id: number
  title: string
  blocks: Json
  schedule: Json | null
  next_at: Instant | null
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

interface ReportDeliveryTable {
  id: GeneratedAlways<number>
  issue_id: number
  recipient_id: number | null
  is_to_owner: boolean
  state: Generated<string>
  send_at: Generated<Instant>
  begun_at: Instant | null
  attempts: Generated<number>
}

interface ReportFileTable {
  issue_id: number
  format: string
  content: Buffer | null
  sha256: string
  bytes: number | null
}

interface ReportIssueTable {
  id: GeneratedAlways<number>
  report_id: number
  token: string
  planned_at: Instant
  audience: string
  is_scheduled: boolean
  state: Generated<string>
  reason: string | null
  content: Json | null
  made_at: Instant | null
}

interface ReportRecipientTable {
  id: GeneratedAlways<number>
  report_id: number
  email: string
  token: string
  state: string
  created_at: Generated<Instant>
  answered_at: Instant | null
}

interface ReportRefusalTable {
  user_id: number
  email_hash: Buffer
  created_at: Generated<Instant>
}

interface RoleTable {
  id: GeneratedAlways<number>
  name: string
  description: string | null
  is_seeded: Generated<boolean>
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

interface RolePermissionTable {
  role_id: number
  permission_id: number
}

interface RowChangeTable {
  of_table: string
  ids: string
  are_deleted: boolean
  place: number | null
  placed_at: Instant | null
}

interface SavedViewTable {
  id: GeneratedAlways<number>
  user_id: number
  name: string
  path: string
  search: string
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

interface SchemaMigrationTable {
  number: number
  name: string
  checksum: string
  applied_at: Generated<Instant>
}

interface SeatTable {
  id: GeneratedAlways<number>
  owner_id: number
  email: string
  user_id: number | null
  invited_at: Instant
  expires_at: Instant
  accepted_at: Instant | null
}

interface SecondFactorTable {
  user_id: number
  secret: Buffer
  confirmed_at: Instant | null
  last_step: Generated<number>
}

interface SessionTable {
  id: GeneratedAlways<number>
  user_id: number
  client: string
  created_at: Generated<Instant>
  revoked_at: Instant | null
  used_generation: Generated<number>
  used_hash: Buffer | null
}

interface SessionTokenTable {
  hash: Buffer
  session_id: number
  kind: string
  expires_at: Instant
  generation: Generated<number>
}

interface SettledPriceTable {
  id: number | null
  product_id: number | null
  market_id: number | null
  price_value: Exact | null
  log_value: number | null
  currency: string | null
  flag: string | null
  collector_name: string | null
  source: string | null
  collected_at: Instant | null
  observed_on: string | null
  created_at: Instant | null
  updated_at: Instant | null
}

interface ShareTable {
  id: GeneratedAlways<number>
  token: string
  user_id: number
  product_id: number | null
  market_id: number | null
  frozen: Json | null
  views: Generated<number>
  created_at: Generated<Instant>
  path: string | null
  search: string | null
  title: string | null
}

interface StrayReceiptTable {
  id: GeneratedAlways<number>
  provider: string
  reference: string
  amount: Exact
  currency: string
  received_on: string
  state: string
  payment_id: number | null
  note: string | null
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

interface SubscriptionTable {
  id: GeneratedAlways<number>
  user_id: number
  plan_id: number | null
  start_date: Instant
  end_date: Instant
  status: Generated<string>
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
  payment_id: number | null
  canceled_at: Instant | null
  cancel_reason: string | null
  cancel_note: string | null
  next_plan_id: number | null
  replaced_by: number | null
  replaced_end: Instant | null
  paused_at: Instant | null
  pause_reason: string | null
}

interface SubscriptionReminderTable {
  subscription_id: number
  days: number
  sent_at: Generated<Instant>
}

interface TransferOrderTable {
  id: GeneratedAlways<number>
  reference: GeneratedAlways<string>
  user_id: number
  plan_id: number
  billing_period: string
  amount: Exact
  currency: string
  payment_id: number | null
  created_at: Generated<Instant>
}

interface TransferReceiptTable {
  id: GeneratedAlways<number>
  order_id: number
  amount: Exact
  bank_reference: string
  received_on: string
  created_at: Generated<Instant>
  cancels_id: number | null
  reason: string | null
  is_cancelled: Generated<boolean>
}

interface UnsubscribeLinkTable {
  hash: Buffer
  user_id: number
  kind: string
  created_at: Generated<Instant>
}

interface UserRoleTable {
  user_id: number
  role_id: number
}

interface WebhookDeliveryTable {
  id: GeneratedAlways<number>
  endpoint_id: number
  message_id: string
  state: Generated<string>
  attempts: Generated<number>
  due_at: Generated<Instant>
  leased_until: Instant | null
  status: number | null
  answer: string | null
  failure: string | null
  duration_ms: number | null
  attempted_at: Instant | null
}

interface WebhookEndpointTable {
  id: GeneratedAlways<number>
  user_id: number
  url: string
  events: string[]
  secret: Buffer
  former_secret: Buffer | null
  former_until: Instant | null
  failing_since: Instant | null
  disabled_at: Instant | null
  disabled_because: string | null
  created_at: Generated<Instant>
  updated_at: Generated<Instant>
}

interface WebhookMessageTable {
  id: Generated<string>
  event: string
  body: string
  created_at: Generated<Instant>
}

interface WebhookSourceTable {
  is_only: Generated<boolean>
  position: number
  ends_told_until: Instant
}

interface WfpMarketTable {
  wfp_id: number
  market_id: number
}

interface WfpProductTable {
  wfp_id: number
  unit: string
  format: string
  product_id: number
}

export interface Tables {
  account_link: AccountLinkTable
  agent_market: AgentMarketTable
  alert_due: AlertDueTable
  alert_event: AlertEventTable
  alert_notice: AlertNoticeTable
  alert_reading: AlertReadingTable
  alert_rule: AlertRuleTable
  alert_state: AlertStateTable
  api_call: ApiCallTable
  api_key: ApiKeyTable
  api_usage: ApiUsageTable
  app_user: AppUserTable
  audit_check: AuditCheckTable
  audit_entry: AuditEntryTable
  audit_link: AuditLinkTable
  billing_details: BillingDetailsTable
  billing_terms: BillingTermsTable
  brand: BrandTable
  category: CategoryTable
  channel_address: ChannelAddressTable
  collection_entry: CollectionEntryTable
  contact_message: ContactMessageTable
  deposit: DepositTable
  device_key: DeviceKeyTable
  early_receipt: EarlyReceiptTable
  edition: EditionTable
  exchange_rate: ExchangeRateTable
  follow: FollowTable
  free_trial: FreeTrialTable
  idempotent_request: IdempotentRequestTable
  import: ImportTable
  import_mapping: ImportMappingTable
  installation: InstallationTable
  invoice: InvoiceTable
  invoice_counter: InvoiceCounterTable
  job: JobTable
  known_device: KnownDeviceTable
  made_report: MadeReportTable
  market: MarketTable
  market_list: MarketListTable
  merged_product: MergedProductTable
  notification_choice: NotificationChoiceTable
  outgoing_mail: OutgoingMailTable
  outgoing_message: OutgoingMessageTable
  payment: PaymentTable
  payment_link: PaymentLinkTable
  permission: PermissionTable
  plan: PlanTable
  planned_visit: PlannedVisitTable
  price: PriceTable
  price_alert: PriceAlertTable
  price_day: PriceDayTable
  price_day_category: PriceDayCategoryTable
  price_day_market: PriceDayMarketTable
  price_day_product: PriceDayProductTable
  price_index: PriceIndexTable
  price_index_fit: PriceIndexFitTable
  price_index_mark: PriceIndexMarkTable
  price_index_window: PriceIndexWindowTable
  price_month: PriceMonthTable
  price_month_counted: PriceMonthCountedTable
  price_month_written: PriceMonthWrittenTable
  price_photo: PricePhotoTable
  price_review: PriceReviewTable
  price_revision: PriceRevisionTable
  price_week_series: PriceWeekSeriesTable
  product: ProductTable
  product_alias: ProductAliasTable
  product_count: ProductCountTable
  product_type: ProductTypeTable
  product_type_weight: ProductTypeWeightTable
  published_inflation: PublishedInflationTable
  quota_warning: QuotaWarningTable
  rate_limit: RateLimitTable
  rate_revision: RateRevisionTable
  recovery_code: RecoveryCodeTable
  report: ReportTable
  report_delivery: ReportDeliveryTable
  report_file: ReportFileTable
  report_issue: ReportIssueTable
  report_recipient: ReportRecipientTable
  report_refusal: ReportRefusalTable
  role: RoleTable
  role_permission: RolePermissionTable
  row_change: RowChangeTable
  saved_view: SavedViewTable
  schema_migration: SchemaMigrationTable
  seat: SeatTable
  second_factor: SecondFactorTable
  session: SessionTable
  session_token: SessionTokenTable
  settled_price: SettledPriceTable
  share: ShareTable
  stray_receipt: StrayReceiptTable
  subscription: SubscriptionTable
  subscription_reminder: SubscriptionReminderTable
  transfer_order: TransferOrderTable
  transfer_receipt: TransferReceiptTable
  unsubscribe_link: UnsubscribeLinkTable
  user_role: UserRoleTable
  webhook_delivery: WebhookDeliveryTable
  webhook_endpoint: WebhookEndpointTable
  webhook_message: WebhookMessageTable
  webhook_source: WebhookSourceTable
  wfp_market: WfpMarketTable
  wfp_product: WfpProductTable
}
