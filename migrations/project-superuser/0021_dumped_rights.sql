-- Objects of a dump start without the default rights (0080_dumped_rights.sql). The sequence of an identity column is made
-- by ALTER TABLE in a dump.
do $$
begin
  if not exists (select from pg_event_trigger where evtname = 'platform_keep_dumped_rights') then
    create event trigger platform_keep_dumped_rights on ddl_command_end
      when tag in (
        'CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO', 'ALTER TABLE', 'CREATE VIEW', 'CREATE MATERIALIZED VIEW',
        'CREATE FOREIGN TABLE', 'CREATE SEQUENCE', 'CREATE FUNCTION', 'CREATE PROCEDURE', 'CREATE AGGREGATE'
      )
      execute function platform.keep_dumped_rights();
  end if;
end
$$;
