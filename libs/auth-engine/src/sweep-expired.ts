import { queryRows, type EnginePool } from './engine-pool.js';

const batchRows = 1000;
const maxBatches = 100;

/**
 * Deletes sessions and verifications that have expired; the engine itself deletes them only when they
 * are presented. Works in batches so that no lock is held for long, and on any number of processes at once.
 * Answers how many rows are gone; at most 100,000 of each kind in one call.
 */
export async function sweepExpired(
  pool: EnginePool,
): Promise<{ readonly sessions: number; readonly verifications: number }> {
  return {
    sessions: await sweepTable(pool, 'session'),
    verifications: await sweepTable(pool, 'verification'),
  };
}

async function sweepTable(pool: EnginePool, table: 'session' | 'verification'): Promise<number> {
  const statement = `
    delete from auth.${table} where id in (
      select id from auth.${table} where "expiresAt" < now() limit ${batchRows}
      for update skip locked
    ) returning 1`;
  let swept = 0;
  for (let batch = 0; batch < maxBatches; batch += 1) {
    // One batch after the other: each is a transaction of its own.
    const rows = await queryRows(pool, statement);
    swept += rows.length;
    if (rows.length < batchRows) break;
  }
  return swept;
}
