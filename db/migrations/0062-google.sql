-- Who signs in with Google, by the identifier that Google never gives to anybody else.
alter table app_user add column google_sub text constraint app_user_google_sub_length check (length(google_sub) between 1 and 255);
create unique index app_user_google_sub_key on app_user (google_sub);

-- A sign-in that Google has confirmed, and that still lacks the code of the second factor.
alter table account_link drop constraint account_link_purpose_known;
alter table account_link add constraint account_link_purpose_known check (purpose in ('reset', 'verify', 'google'));
