// The truth of the proofs: the lines of the outbox, and that they are all that the tables have been through.
import type { ProjectUnderTest } from '../support/project.js';
import type { TrialDeployment } from '../trial/deployment.js';
import type { Written } from './ledger.js';

const writtenSql = `select txid::text || '.' || seq as id, n ->> 'owner' as owner,
  (n ->> 'hidden')::boolean as hidden
from realtime.outbox where tbl in ('public.counters'::regclass, 'public.entries'::regclass)`;

/** Rows whose number of lines is not the number of times that they were written. */
const uncapturedSql = `with lines as (
  select tbl, kind, (n ->> 'id')::bigint as id, count(*) as times from realtime.outbox
  where tbl in ('public.counters'::regclass, 'public.entries'::regclass) group by 1, 2, 3)
select (select count(*) from public.counters c
    left join lines l on l.tbl = 'public.counters'::regclass and l.kind = 'U' and l.id = c.id
    where c.version <> coalesce(l.times, 0))
  + (select count(*) from public.entries e
    left join lines l on l.tbl = 'public.entries'::regclass and l.kind = 'I' and l.id = e.id
    where 1 <> coalesce(l.times, 0)) as rows`;

export async function readWritten(
  deployment: TrialDeployment,
  { database }: ProjectUnderTest,
): Promise<readonly Written[]> {
  const rows = await deployment.ask(writtenSql, database);
  return rows.map(({ id, owner, hidden }) => ({
    id: String(id),
    owner: String(owner),
    hidden: hidden === true,
  }));
}

export async function countUncaptured(
  deployment: TrialDeployment,
  { database }: ProjectUnderTest,
): Promise<number> {
  const [row] = await deployment.ask(uncapturedSql, database);
  return Number(row?.['rows']);
}
