// Keeps the first attempt of an operation from beginning a step, so that a test kills its process at that place.
import pg from 'pg';
import { timeUntil } from '#libs/testing';

/** Any number that no lock of the product has. */
const lock = 7_283_641;
const heldMs = 90_000;

export interface HeldStep extends AsyncDisposable {
  /** Resolves when an attempt waits before the step. Throws when none has come there in time. */
  reached(): Promise<void>;
}

/** Holds the step in the deployment whose control plane has this connection string, until it is disposed. */
export async function holdStep(controlPlaneUrl: string, step: string): Promise<HeldStep> {
  const holder = new pg.Client({ connectionString: controlPlaneUrl });
  await holder.connect();
  await holder.query(`select pg_catalog.pg_advisory_lock(${lock})`);
  await holder.query(`
    create or replace function hold_step() returns trigger language plpgsql as $$
    begin
      perform pg_catalog.pg_advisory_xact_lock(${lock});
      return new;
    end $$;
    create or replace trigger hold_step before update of step on operation for each row
      when (new.attempts = 1 and new.step = '${step}') execute function hold_step()`);
  const isReached = async (): Promise<boolean> => {
    const { rows } = await holder.query(
      `select from pg_catalog.pg_locks
       where locktype = 'advisory' and objid = ${lock} and not granted`,
    );
    return rows.length > 0;
  };
  return {
    async reached() {
      await timeUntil(isReached, {
        ms: heldMs,
        until: `an attempt reaches "${step}"`,
        everyMs: 10,
      });
    },
    async [Symbol.asyncDispose]() {
      await holder.query(`select pg_catalog.pg_advisory_unlock(${lock})`);
      // The attempt that waited goes on in the database, without its process.
      await holder.query('drop trigger hold_step on operation');
      await holder.end();
    },
  };
}
