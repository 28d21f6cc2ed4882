-- A payment by card is a deposit that rings at no telephone: its payer is sent to the page of the provider.
alter table deposit
  alter column phone drop not null,
  alter column operator drop not null,
  drop constraint deposit_provider_known,
  add constraint deposit_provider_known check (provider in ('pawapay', 'flexpay', 'flexpay-card')),
  -- Where its payer pays; null until the provider has said so.
  add column page_url text constraint deposit_page_url_length check (length(page_url) <= 2000),
  -- How its payer says that he came back from that page without paying, which proves nothing.
  add column left_as text constraint deposit_left_as_known check (left_as in ('cancelled', 'declined')),
  -- The payments of the same plan that were undecided when this one began: of those, one is enough.
  add column open_with integer[] not null default '{}',
  add constraint deposit_by_phone_or_page check ((phone is null) = (operator is null)),
  add constraint deposit_page_without_phone check (phone is null or (page_url is null and left_as is null));
