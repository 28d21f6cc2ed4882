-- The rights of whoever administers rest until his second factor is on: every process follows when it is.
create trigger second_factor_access after delete or update of confirmed_at on second_factor
  for each row execute function notify_access_changed();
