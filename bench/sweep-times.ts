// How long sweeps of projects take. A trigger in the control plane notes it, because a sweep that went well leaves no
// row.

/** A project without requests is swept once a day, and left out of the other hourly rounds. */
export const ROUNDS_PER_DAY = 24;

/** Runs a statement in the control-plane database. */
export type AskControlPlane = (sql: string) => Promise<readonly Record<string, unknown>[]>;

const WATCH = [
  `create table sweep_times (
    ref pg_catalog.text, state pg_catalog.text, at pg_catalog.timestamptz default pg_catalog.clock_timestamp())`,
  `create function note_sweep() returns trigger language plpgsql as $$
    begin
      insert into sweep_times (ref, state) values
        (old.ref, case when tg_op = 'DELETE' then 'done' else new.state end);
      return null;
    end $$`,
  `create trigger note_sweep after update or delete on operation
    for each row when (old.kind = 'sweep') execute function note_sweep()`,
];
const UNWATCH = [
  'drop trigger if exists note_sweep on operation',
  'drop function if exists note_sweep()',
  'drop table if exists sweep_times',
];
const TIMES = `select ref,
    extract(epoch from max(at) filter (where state = 'done')
      - min(at) filter (where state = 'running'))::pg_catalog.float8 * 1000 as ms
  from sweep_times group by ref`;

/** Returns for each project that `work` has swept the milliseconds from the start of its sweep to its end. */
export async function timeSweeps(
  ask: AskControlPlane,
  work: () => Promise<void>,
): Promise<readonly number[]> {
  for (const statement of WATCH) await ask(statement);
  try {
    await work();
    return (await ask(TIMES)).map(({ ms }) => Number(ms));
  } finally {
    for (const statement of UNWATCH) await ask(statement);
  }
}

/** The statement that plans the sweep of the projects that `condition` (SQL over `project`) selects. */
export const planSweepsSql = (condition: string): string =>
  `insert into operation (kind, ref, organization_id, deadline)
    select 'sweep', ref, organization_id, pg_catalog.now() + '1 hour'::pg_catalog.interval
    from project where ${condition} order by ref
    on conflict (kind, ref) where finished_at is null do nothing`;
