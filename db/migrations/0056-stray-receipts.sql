-- Money that a payment provider received without any payment of ours: what the team decided about it, once for each row of a statement.
create table stray_receipt (
  id integer generated always as identity constraint stray_receipt_pkey primary key,
  provider text not null constraint stray_receipt_provider_known check (provider in ('pawapay', 'flexpay')),
  -- What the provider calls the row of its statement.
  reference text not null constraint stray_receipt_reference_length check (length(reference) between 1 and 200),
  amount numeric(14,2) not null constraint stray_receipt_amount_positive check (amount > 0),
  currency text not null constraint stray_receipt_currency_known check (currency in ('CDF', 'USD')),
  received_on date not null,
  -- attached: the money of payment_id; to_refund and refunded: the payer gets it back.
  state text not null constraint stray_receipt_state_known check (state in ('attached', 'to_refund', 'refunded')),
  payment_id integer constraint stray_receipt_payment_fkey references payment,
  note text constraint stray_receipt_note_length check (length(note) <= 500),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint stray_receipt_once unique (provider, reference),
  constraint stray_receipt_payment_once unique (payment_id),
  constraint stray_receipt_payment_when_attached check ((state = 'attached') = (payment_id is not null))
);
create index stray_receipt_to_refund on stray_receipt (id) where state = 'to_refund';
create trigger stray_receipt_touch before update on stray_receipt for each row execute function touch_updated_at();
