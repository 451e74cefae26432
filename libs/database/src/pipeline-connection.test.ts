import { Duplex } from 'node:stream';

import { expect, test } from 'vitest';

import type { Batch } from './in-flight-batch.js';
import { PipelineConnection } from './pipeline-connection.js';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** A connection to a server that never answers, and the number of writes to it. */
function openSilent() {
  const sent = { writes: 0 };
  const stream = new Duplex({
    read: () => undefined,
    write: (_chunk, _encoding, done) => {
      sent.writes += 1;
      done();
    },
  });
  const connection = new PipelineConnection(
    { stream, processId: 1, secretKey: 1 },
    {
      address: { host: '127.0.0.1', port: 1, database: 'none' },
      maxStatements: 5,
      maxResultBytes: 1_000,
      statementTimeoutMs: 60_000,
      replyGraceMs: 0,
      onLost: () => undefined,
    },
  );
  const run = (isSentAtOnce: boolean): void => {
    const batch: Batch = {
      statements: [{ name: 'a', text: 'select 1', values: [] }],
      isSentAtOnce,
    };
    // It ends with the connection.
    connection.run(batch).catch(() => undefined);
  };
  return { connection, run, sent };
}

test('batches of a turn of the event loop leave in one write', async () => {
  const { connection, run, sent } = openSilent();
  run(false);
  run(false);
  expect([sent.writes, connection.isFilling]).toEqual([0, true]);
  await nextTurn();
  expect([sent.writes, connection.isFilling]).toEqual([1, false]);
  connection.destroy();
});

test('a batch may leave at once, and those behind it in one write', async () => {
  const { connection, run, sent } = openSilent();
  run(true);
  expect([sent.writes, connection.isFilling]).toEqual([1, false]);
  run(true);
  run(true);
  expect([sent.writes, connection.isFilling]).toEqual([1, true]);
  await nextTurn();
  expect(sent.writes).toBe(2);
  connection.destroy();
});
