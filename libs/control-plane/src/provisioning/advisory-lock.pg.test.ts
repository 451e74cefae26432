import { expect, test } from 'vitest';
import { setTimeout as delay } from 'node:timers/promises';
import { withLock, withLockInTime } from './advisory-lock.js';
import { databaseServer, withAdmin } from './database-server.js';

const server = databaseServer(process.env['TEST_DATABASE_URL'] ?? '');
const name = `test ${process.pid} ${Date.now()}`;

test('a lock is awaited for longer than the lock timeout of the connection, which the work has again', async () => {
  await withAdmin(server, undefined, (holder) =>
    withAdmin(server, undefined, async (waiter) => {
      const [holds, release] = [signal(), signal()];
      const held = withLock(holder, name, () => {
        holds.send();
        return release.sent;
      });
      await holds.sent;
      await waiter.query(`set lock_timeout = '50ms'`);
      await expect(withLockInTime(waiter, name, async () => undefined)).rejects.toMatchObject({
        code: '55P03',
      });
      const waited = withLock(waiter, name, async () => {
        const { rows } = await waiter.query<{ lock_timeout: string }>('show lock_timeout');
        return rows[0]?.lock_timeout;
      });
      await untilWaitIsLong();
      release.send();
      await held;
      expect(await waited).toBe('50ms');
    }),
  );
}, 20_000);

function signal(): { readonly sent: Promise<void>; send(): void } {
  let send = (): void => undefined;
  const sent = new Promise<void>((resolve) => (send = resolve));
  return { sent, send: () => send() };
}

/** Resolves when a session has waited for an advisory lock for longer than the lock timeout of this test. */
async function untilWaitIsLong(): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const found = await withAdmin(server, undefined, (client) =>
      client.query(
        `select from pg_locks where locktype = 'advisory' and not granted
         and waitstart < clock_timestamp() - interval '200 milliseconds'`,
      ),
    );
    if (found.rowCount !== 0) return;
    await delay(20);
  }
  throw new Error('no session waits');
}
