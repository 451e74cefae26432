// The tables of the realtime run. Rows that are written have some 300 bytes, rows of bursts few.

import type { Client } from 'pg';

/** Without changes: what capture is held against. */
export const PLAIN = 'plain_rows';
/** With the gate open, and no reader. */
export const CAPTURED = 'captured_rows';
/** With changes that no client asks for. */
const QUIET_TABLES = ['quiet_rows_1', 'quiet_rows_2', 'quiet_rows_3', 'quiet_rows_4'] as const;
/** Everybody sees its changes. */
export const LIVE = 'live_rows';
/** Users see rows of their own and published ones. */
export const OWNED = 'owned_rows';
/** Users see what is shared with them, which another table says. */
export const SHARED = 'shared_rows';
export const TOPIC_TABLE = 'topic_members';

const WRITTEN_TABLES = [PLAIN, CAPTURED, ...QUIET_TABLES, LIVE];

function writtenTable(name: string): string {
  return `create table public.${name} (id bigint generated always as identity primary key, body text not null);
create policy read_all on public.${name} for select using (true);
create policy write_all on public.${name} for insert to authenticated with check (true);`;
}

/** Run as the owner of schema public. */
export const REALTIME_TABLES_SQL = `
${WRITTEN_TABLES.map(writtenTable).join('\n')}
select realtime.disable('public.${PLAIN}');
create table public.${OWNED} (id bigint primary key, owner_id text, published boolean not null, body text);
create policy read_own on public.${OWNED} for select to authenticated
  using (owner_id = (select auth.uid()) or published);
create table public.shares (row_id bigint, user_id text, primary key (row_id, user_id));
create policy read_shares on public.shares for select to authenticated using (user_id = (select auth.uid()));
create table public.${SHARED} (id bigint primary key, owner_id text, published boolean not null, body text);
create policy read_shared on public.${SHARED} for select to authenticated
  using (owner_id = (select auth.uid()) or published
    or exists (select from public.shares where row_id = ${SHARED}.id and user_id = (select auth.uid())));
insert into public.shares select n, 'bench_user_' || n from generate_series(1, 2000) as n;
create table public.${TOPIC_TABLE} (topic text, user_id text, primary key (topic, user_id));
create policy read_members on public.${TOPIC_TABLE} for select to authenticated
  using (user_id = (select auth.uid()));
insert into public.${TOPIC_TABLE} select 'topic-' || n, 'bench_user_' || n from generate_series(1, 1000) as n;
create policy members_receive on realtime.messages for select to authenticated
  using (exists (select from public.${TOPIC_TABLE}
    where topic = realtime.topic() and user_id = (select auth.uid())));
create policy members_send on realtime.messages for insert to authenticated
  with check (extension = 'broadcast' and exists (select from public.${TOPIC_TABLE}
    where topic = realtime.topic() and user_id = (select auth.uid())));
`;

/** For the second project. */
export const NEIGHBOR_TABLES_SQL = writtenTable(LIVE);

async function bitOf(client: Client, table: string): Promise<number> {
  const { rows } = await client.query<{ bit: number }>(
    'select pg_catalog.rowhouse_gate_bit($1::regclass) as bit',
    [`public.${table}`],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`There is no table ${table}`);
  return row.bit;
}

/** Opens the gate of the captured table, without a reader; the superuser. */
export async function openGate(client: Client): Promise<void> {
  await client.query('select realtime.open(array[$1]::int2[], $2, 7200)', [
    await bitOf(client, CAPTURED),
    'bench',
  ]);
}

/** A table whose gate stays closed: it has no bit of a table that is listened to. */
export async function findQuietTable(client: Client): Promise<string> {
  const open = new Set<number>();
  for (const table of [CAPTURED, LIVE, OWNED, SHARED]) open.add(await bitOf(client, table));
  for (const table of QUIET_TABLES) if (!open.has(await bitOf(client, table))) return table;
  throw new Error('Every quiet table shares a bit with a table that is listened to');
}

export async function oidOf(client: Client, table: string): Promise<number> {
  const { rows } = await client.query<{ oid: number }>('select $1::regclass::oid as oid', [
    `public.${table}`,
  ]);
  return rows[0]?.oid ?? 0;
}
