import { expect, test } from 'vitest';
import { resolveAll } from '#libs/settings';
import { createSessionUses } from './session-uses.js';

/** Connections that answer nothing; `most` is how many were open at once. */
function quietPool() {
  const seen = { open: 0, most: 0, asked: 0 };
  const client = {
    query: () => Promise.resolve({ rows: [] }),
    release: () => void seen.open--,
  };
  const connect = async () => {
    seen.asked++;
    seen.most = Math.max(seen.most, ++seen.open);
    await new Promise((resolve) => setImmediate(resolve));
    return client;
  };
  return { seen, pool: { connect, end: () => Promise.resolve() } };
}

function openUses() {
  const { seen, pool } = quietPool();
  const settings = resolveAll({}, {})['auth.sessions'];
  const uses = createSessionUses({
    pool: pool as never, // Only what one statement needs.
    settings: () => settings,
    now: () => 0,
    onError: (error) => expect(error).toBeUndefined(),
  });
  return { seen, uses };
}

test('sessions that are all due at once, as after a start, take two connections and leave none out', async () => {
  const { seen, uses } = openUses();
  for (let round = 0; round < 2; round++) {
    for (let n = 0; n < 200; n++) uses.note(`token ${String(round)} ${String(n)}`);
    await uses.settled();
  }
  expect(seen).toEqual({ open: 0, most: 2, asked: 400 });
});

test('a project that closes waits for what has begun alone', async () => {
  const { seen, uses } = openUses();
  for (let n = 0; n < 200; n++) uses.note(`token ${String(n)}`);
  await uses.close();
  expect(seen).toEqual({ open: 0, most: 2, asked: 2 });
});
