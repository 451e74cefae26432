-- Sessions that end at a fixed time, however much they are used: those of somebody who did not want to be
-- remembered. Null: only the settings of the project decide.

alter table auth.session add column if not exists "endsAt" timestamptz;
