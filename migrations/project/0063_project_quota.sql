-- Whether the files of the project, with what is reserved for uploads, have room for so many bytes more. Null: no
-- limit. The lock lets one upload after the other ask and reserve, so that together they never pass the limit.
create or replace function storage.has_room(bytes pg_catalog.int8, quota_bytes pg_catalog.int8) returns pg_catalog.bool
  language plpgsql volatile
  set search_path = pg_catalog, pg_temp
as $$
begin
  if has_room.quota_bytes is null then
    return true;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('rowhouse storage quota', 0));
  return (
    select coalesce(sum(b.used_bytes + b.reserved_bytes), 0) + has_room.bytes <= has_room.quota_bytes
    from storage.buckets b
  );
end
$$;
revoke all on function storage.has_room from public;
grant execute on function storage.has_room to platform_engine;
