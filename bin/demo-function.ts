// The edge function of the demo project, and what calls it. It imports nothing, so it needs no check by Deno.
import type { ProjectDatabase, Transaction } from '#libs/database';

const code = `// A trigger calls it for each new comment, and a schedule every morning.
Deno.serve(async (request) => {
  const { type, record } = await request.json();
  console.log(type === 'INSERT' ? \`New comment: \${record.body}\` : 'Good morning');
  return new Response(null, { status: 204 });
});
`;

// The engine has no right to name a table of the project: it is found in the catalog.
const store = `
with number as (
  insert into platform.edge_function_numbers (slug, last_version) values ('diary', 1)
), function as (
  insert into platform.edge_functions (slug, name, route, active_version)
  values ('diary', 'Diary', 'diary', 1)
), version as (
  insert into platform.edge_function_versions (slug, version, entrypoint, files, lock, created_by)
  values ('diary', 1, 'index.ts', $1::pg_catalog.jsonb, '', 'system')
), schedule as (
  insert into platform.edge_schedules (name, function, cron, time_zone)
  values ('Every morning', 'diary', '0 7 * * *', 'UTC')
)
insert into platform.edge_triggers (name, tbl, events, function)
select 'New comments', c.oid, '{INSERT}', 'diary'
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where n.nspname = 'public' and c.relname = 'comments'`;

/** Stores the function, its schedule and its trigger in a database with the tables of the demo. */
export function storeDemoFunction(db: Pick<ProjectDatabase, 'runAsEngine'>): Promise<void> {
  return db.runAsEngine(async (tx: Transaction) => {
    await tx.query(store, [JSON.stringify({ 'index.ts': code })]);
    await tx.query('select platform.watch_triggers()');
  });
}
