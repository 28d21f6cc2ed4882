-- Who is asked for a deposit, written down before the first call; null while certainly nobody was.
alter table deposit
  add column provider text constraint deposit_provider_known check (provider in ('pawapay', 'flexpay'));

-- Only FlexPay gave a name of its own before the end; what was asked before this column existed is asked about as before.
update deposit set provider = case when state <> 'succeeded' and provider_ref is not null then 'flexpay' else 'pawapay' end
 where attempts > 0;
