-- A key that was replaced is good until it expires, so that programs can change over. Null: no end.
alter table project_key add column if not exists expires_at timestamptz;
