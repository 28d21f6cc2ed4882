-- What a plan comprises, as its own row says it; what costs nothing gives the public figures only.
alter table plan
  add column features text[] not null
    default array['BASIC_DATA', 'REALTIME_DATA', 'PRICE_ALERTS', 'ADVANCED_ANALYSIS', 'PRIORITY_SUPPORT', 'CUSTOM_REPORTS'],
  add constraint plan_features_known check (
    features <@ array['BASIC_DATA', 'REALTIME_DATA', 'PRICE_ALERTS', 'ADVANCED_ANALYSIS', 'PRIORITY_SUPPORT', 'CUSTOM_REPORTS']
  );
update plan set features = array['BASIC_DATA'] where price = 0;
