// The statements that the feed repeats run no code of the project. So they are prepared once for a connection, which needs
// no cleaning after them.
import { expect, test } from 'vitest';

import { leavesNothing } from '../../libs/database/src/harmless-statements.js';
import {
  openGate,
  outlives,
  readPage,
  readPosition,
  stillRunning,
} from '../../libs/realtime/src/feed/feed.sql.js';

const position = '1:1:';
const limits = { maxLines: 1, maxBytes: 1 };
type Queries = Parameters<typeof readPage>[0];

test.each<{ readonly name: string; readonly ask: (db: Queries) => Promise<unknown> }>([
  { name: 'a page', ask: (db) => readPage(db, { position, run: '' }, limits) },
  { name: 'the position', ask: readPosition },
  { name: 'transactions that run', ask: (db) => stillRunning(db, '{}') },
  { name: 'the gate', ask: (db) => openGate(db, [0], { node: 'a', seconds: 1 }) },
  { name: 'a position of another run', ask: (db) => outlives(db, { position, runPrefix: '' }) },
])('$name', async ({ ask }) => {
  const texts: string[] = [];
  await ask({
    queryAsEngine: (text) => {
      texts.push(text);
      return Promise.resolve([]);
    },
  });
  expect(texts.map(leavesNothing)).toEqual([true]);
});
