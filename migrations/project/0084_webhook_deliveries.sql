-- Webhooks of buckets are deliveries of platform.outbox, of the kind `webhook`.
alter table platform.outbox add column if not exists ended_at pg_catalog.timestamptz;

-- As in 0024_storage_uploads.sql.
create or replace function storage.announce(
  event text, file storage.stored_files, extra jsonb default '{}'
) returns void
  language sql volatile
  set search_path = pg_catalog, pg_temp
as $$
  insert into platform.outbox (kind, source, event_id, target, status, payload, next_attempt_at)
  select 'webhook', webhooks.id::text, gen_random_uuid()::text, regexp_replace(webhooks.url, '[?#].*', ''), 'pending',
    (jsonb_build_object(
      'type', $1,
      'occurredAt', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'bucket', ($2).bucket,
      'file', jsonb_build_object(
        'id', ($2).id, 'key', ($2).key, 'version', ($2).version, 'size', ($2).size,
        'mediaType', ($2).media_type, 'visibility', ($2).visibility, 'ownerId', ($2).owner_id
      )
    ) || $3)::json, now()
  from storage.webhooks
  where webhooks.bucket = ($2).bucket and webhooks.active and $1 = any (webhooks.events)
$$;

-- The deliveries of a webhook go with it, also when its bucket is deleted.
create or replace function storage.forget_deliveries() returns trigger
  language plpgsql security definer
  set search_path = pg_catalog, pg_temp
as $$
begin
  delete from platform.outbox o using gone where o.kind = 'webhook' and o.source = gone.id::text;
  return null;
end
$$;
create or replace trigger forget_deliveries after delete on storage.webhooks
  referencing old table as gone
  for each statement execute function storage.forget_deliveries();
revoke all on function storage.forget_deliveries() from public;

-- Processes of an earlier release write none into their own table: they announce with the function above.
with moved as (delete from storage.webhook_outbox returning *)
insert into platform.outbox
  (kind, source, event_id, target, status, attempts, response_status, error, payload, next_attempt_at, created_at,
   ended_at)
select 'webhook', w.id::pg_catalog.text, moved.id::pg_catalog.text, pg_catalog.regexp_replace(w.url, '[?#].*', ''),
  moved.status, moved.attempts, moved.last_status, moved.last_error, moved.payload::pg_catalog.json,
  moved.next_attempt_at, moved.created_at, moved.ended_at
from moved join storage.webhooks w on w.id = moved.webhook_id
order by moved.created_at, moved.id;
