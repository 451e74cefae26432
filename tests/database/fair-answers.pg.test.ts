import { afterAll, beforeAll, expect, test } from 'vitest';

import { ConnectionBudget, type ProjectDatabase } from '#libs/database';
import { createProject, type ProjectFixture } from './project-fixture.js';

let project: ProjectFixture;
beforeAll(async () => {
  project = await createProject();
});
afterAll(() => project.drop());

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
const read = (db: ProjectDatabase) =>
  db.runTable({
    credential: { kind: 'none' },
    queries: [{ text: 'select 1::text', values: [] }],
    readOnly: true,
  });

/** Holds the event loop while PostgreSQL answers, so that all answers are read in one turn. */
function blockLoop(ms: number): void {
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt);
}

test('while another project is active, two answers of a project continue in each turn', async () => {
  const budget = new ConnectionBudget();
  const [noisy, quiet] = [project.open({ budget }), project.open({ budget })];
  // Reads that have been fast share a connection.
  for (let count = 0; count < 20; count += 1) await read(noisy);
  await read(quiet);
  await read(noisy);
  let [turn, answered] = [0, 0];
  const answeredByTurn = new Map<number, number>();
  const asked = Array.from({ length: 8 }, async () => {
    await read(noisy);
    answeredByTurn.set(turn, (answeredByTurn.get(turn) ?? 0) + 1);
    answered += 1;
  });
  for (; answered < 8 && turn < 100_000; turn += 1) {
    await nextTurn();
    if (turn === 2) blockLoop(200);
  }
  await Promise.all(asked);
  expect(answered).toBe(8);
  expect(Math.max(...answeredByTurn.values())).toBe(2);
}, 30_000);
