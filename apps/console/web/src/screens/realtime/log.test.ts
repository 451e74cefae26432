import { expect, test } from 'vitest';

import { filterLog, latencyOf, logFile, type LogEntry } from './log.js';

const entry = (seq: number, more: Partial<LogEntry> = {}): LogEntry => ({
  seq,
  kind: 'change',
  isBad: false,
  listener: 1,
  topic: 'planets',
  who: 'a visitor',
  title: 'INSERT planets',
  preview: '{"name":"Mars"}',
  content: { name: 'Mars' },
  times: { writtenAt: 1_000, sentAt: 1_010, arrivedAt: 1_012 },
  ...more,
});
const message = entry(2, {
  kind: 'message',
  listener: 2,
  who: 'ada@example.org',
  title: 'moved',
  preview: '{"x":3}',
  content: { event: 'moved', payload: { x: 3 } },
  times: { sentAt: 2_000, arrivedAt: 2_001 },
});
const all = [message, entry(1)];

test.each([
  { name: 'nothing is asked for', filter: {}, seqs: [2, 1] },
  { name: 'a kind', filter: { kind: 'change' as const }, seqs: [1] },
  { name: 'a listener', filter: { listener: 2 }, seqs: [2] },
  { name: 'a part of a value, in any case', filter: { text: ' mars ' }, seqs: [1] },
  { name: 'a part of the caller', filter: { text: 'ada@' }, seqs: [2] },
  { name: 'a part of the event', filter: { text: 'MOVED' }, seqs: [2] },
  { name: 'all of them', filter: { text: 'mars', kind: 'message' as const }, seqs: [] },
])('the log is filtered by $name', ({ filter, seqs }) => {
  const whole = { text: '', kind: undefined, listener: undefined, ...filter };
  expect(filterLog(all, whole).map(({ seq }) => seq)).toEqual(seqs);
});

test('changes have a latency, and it is never negative', () => {
  expect(latencyOf({ writtenAt: 1_000, sentAt: 1_010, arrivedAt: 1_012.6 })).toBe(13);
  expect(latencyOf({ writtenAt: 1_000, sentAt: 990, arrivedAt: 991 })).toBe(0);
  expect(latencyOf({ sentAt: 1_010, arrivedAt: 1_012 })).toBeUndefined();
});

test('the file has the oldest entry first, with its times', () => {
  expect(JSON.parse(logFile(all))).toEqual([
    {
      at: '1970-01-01T00:00:01.012Z',
      kind: 'change',
      topic: 'planets',
      as: 'a visitor',
      title: 'INSERT planets',
      writtenAt: '1970-01-01T00:00:01.000Z',
      latencyMs: 12,
      sentAt: '1970-01-01T00:00:01.010Z',
      content: { name: 'Mars' },
    },
    {
      at: '1970-01-01T00:00:02.001Z',
      kind: 'message',
      topic: 'planets',
      as: 'ada@example.org',
      title: 'moved',
      sentAt: '1970-01-01T00:00:02.000Z',
      content: { event: 'moved', payload: { x: 3 } },
    },
  ]);
});
