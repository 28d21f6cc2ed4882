-- Invoices of payments, and their credit notes. A trigger issues them as its transaction ends, whatever wrote the payment, so that
-- none is forgotten; numbers have no gap, because a transaction that is undone gives its number back.

-- What an invoice says of who issues it and of the tax; the server writes it as it starts. Whoever takes a number holds this row, so
-- that numbers follow the clock.
create table billing_terms (
  id boolean not null default true primary key constraint billing_terms_is_one check (id),
  seller jsonb not null default '{"name": "Ntalo"}',
  vat_rate numeric(5,2) not null default 0 constraint billing_terms_vat_rate_range check (vat_rate between 0 and 100),
  vat_text text not null default 'TVA non applicable',
  payment_terms text not null default 'Payée d’avance, par période.'
);
insert into billing_terms default values;

-- Whom invoices are made out to, where it is not the account's own name and address.
create table billing_details (
  user_id integer primary key references app_user,
  name text not null constraint billing_details_name_length check (length(name) <= 200),
  address text constraint billing_details_address_length check (length(address) <= 500),
  tax_number text constraint billing_details_tax_number_length check (length(tax_number) <= 60),
  email text not null constraint billing_details_email_length check (length(email) <= 254),
  updated_at timestamptz(3) not null default now()
);

create table invoice_counter (
  kind text not null,
  year integer not null,
  last integer not null,
  primary key (kind, year)
);

create table invoice (
  id integer generated always as identity primary key,
  kind text not null constraint invoice_kind_known check (kind in ('invoice', 'credit_note')),
  year integer not null,
  rank integer not null,
  number text not null generated always as (
    case kind when 'invoice' then '' else 'AV-' end || year::text || '-' || lpad(rank::text, greatest(6, length(rank::text)), '0')) stored
    constraint invoice_number_unique unique,
  payment_id integer not null references payment,
  corrects_id integer references invoice,
  user_id integer not null references app_user,
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
  constraint invoice_once unique (payment_id, kind),
  constraint invoice_rank_unique unique (kind, year, rank)
);
create index invoice_by_user on invoice (user_id, id);
create index invoice_by_day on invoice (issued_at, id);

-- An invoice of a payment with what is true now, or a credit note with what its invoice says; once.
create function issue_invoice(wanted text, paid integer, at timestamptz default null) returns void language plpgsql as $$
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
end $$;

create function invoice_payment() returns trigger language plpgsql as $$
begin
  perform issue_invoice('invoice', new.id);
  if new.status = 'REFUNDED' then perform issue_invoice('credit_note', new.id); end if;
  return null;
end $$;
create constraint trigger invoice_of_payment after insert or update of status on payment
  deferrable initially deferred for each row when (new.status in ('PAID', 'REFUNDED')) execute function invoice_payment();

-- What was issued stays as it was.
create function refuse_invoice_change() returns trigger language plpgsql as $$
begin
  raise exception 'an invoice does not change';
end $$;
create trigger invoice_is_frozen before update or delete on invoice for each row execute function refuse_invoice_change();

-- What was paid before there were invoices, in its order and at its time.
create function issue_missing_invoices() returns void language plpgsql as $$
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
end $$;
select issue_missing_invoices();
