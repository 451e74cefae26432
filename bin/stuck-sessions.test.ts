import { expect, test } from 'vitest';
import { pino } from 'pino';

import { type EndBackend, StuckSessions } from './stuck-sessions.js';

/** The lines of the log after sessions of the databases `a` and `b` are ended at once; no project can be paused. */
async function linesAfter(endBackend: EndBackend): Promise<readonly unknown[]> {
  const lines: unknown[] = [];
  const stuck = new StuckSessions(
    pino({ base: null, timestamp: false }, { write: (line) => lines.push(JSON.parse(line)) }),
    endBackend,
    () => Promise.resolve(undefined),
    () => undefined,
  );
  stuck.close();
  const session = (databaseId: string, pid: number) =>
    stuck.end({
      login: { databaseId, kind: 'owner' },
      reason: 'holds too many locks',
      pid,
    });
  await Promise.all([session('a', 1), session('b', 2)]);
  return lines;
}

const notPaused = (databaseId: string) =>
  expect.objectContaining({ databaseId, msg: 'a project could not be paused' });

test('the restart for one session pauses the projects of all that it ended', async () => {
  const lines = await linesAfter((pid) => Promise.resolve(pid === 1));
  expect(lines).toContainEqual(notPaused('a'));
  expect(lines).toContainEqual(notPaused('b'));
});

test('a session that has ended by itself pauses no project', async () => {
  expect(await linesAfter(() => Promise.resolve(false))).toEqual([]);
});
