-- When an operator has last signed in, with the second factor if there is one. Null: not since this migration.
alter table operator add column if not exists last_sign_in_at timestamptz;
