// The cases that write, each to a table that is brought back to its first state after a round.

import type { BenchCase, HttpCall } from './case.js';
import { AUTHORS, BALANCES } from './database/tables.js';

const BULK_ROWS = 1000;
/** The most operations that a batch may have. */
const BATCH_OPERATIONS = 100;

const MINIMAL = { prefer: 'return=minimal' };

function post(path: string, body: unknown, headers?: HttpCall['headers']): HttpCall {
  return {
    method: 'POST',
    path,
    body: JSON.stringify(body),
    ...(headers === undefined ? {} : { headers }),
  };
}

function entry(number: number): { kind: string; amount: number; note: string } {
  return { kind: 'visit', amount: number, note: `What entry ${String(number)} says` };
}

const BULK = JSON.stringify(Array.from({ length: BULK_ROWS }, (_, index) => entry(index)));

export const WRITES: readonly BenchCase[] = [
  {
    name: 'insert',
    title: 'insert one row',
    isRead: false,
    rowsWritten: 1,
    evidence: [],
    statements: [
      `insert into public.posts (author_id, title, body)
         values (:n, 'A new post', 'What the new post says')`,
    ],
    keys: AUTHORS,
    baselines: ['baseline'],
    isCrowded: true,
    productCall: (key) =>
      post('/rest/v1/posts', {
        author_id: key,
        title: 'A new post',
        body: 'What the new post says',
      }),
  },
  {
    name: 'bulk',
    title: 'insert 1,000 rows',
    isRead: false,
    rowsWritten: BULK_ROWS,
    evidence: [],
    statements: [
      `insert into public.entries (kind, amount, note)
         select kind, amount, note from json_to_recordset(cast(:body as json))
           as x(kind text, amount numeric, note text)`,
    ],
    body: BULK,
    keys: 1,
    baselines: ['baseline'],
    isCrowded: false,
    productCall: () => ({ method: 'POST', path: '/rest/v1/entries', body: BULK }),
  },
  {
    name: 'upsert',
    title: 'upsert one row that is there',
    isRead: false,
    rowsWritten: 0,
    evidence: [],
    statements: [
      `insert into public.balances (id, amount, note) values (:n, 12.5, 'What is left')
         on conflict (id) do update set amount = excluded.amount, note = excluded.note`,
    ],
    keys: BALANCES,
    baselines: ['baseline'],
    isCrowded: false,
    productCall: (key) =>
      post(
        '/rest/v1/balances',
        { id: key, amount: 12.5, note: 'What is left' },
        { prefer: 'resolution=merge-duplicates,return=minimal' },
      ),
  },
  {
    name: 'batch',
    title: 'batch of 100 inserts',
    isRead: false,
    rowsWritten: BATCH_OPERATIONS,
    evidence: [{ pattern: /"message":"OK"/g, times: 1 }],
    statements: Array.from(
      { length: BATCH_OPERATIONS },
      () =>
        `insert into public.entries (kind, amount, note) values ('visit', :n, 'What entry 1 says')`,
    ),
    keys: AUTHORS,
    baselines: ['baseline', 'baseline-serial'],
    isCrowded: false,
    productCall: (key) =>
      post(
        '/rest/v1/batch',
        {
          operations: Array.from({ length: BATCH_OPERATIONS }, () => ({
            method: 'POST',
            model: 'entries',
            body: entry(key),
          })),
        },
        MINIMAL,
      ),
  },
];
