import { createHash } from 'node:crypto';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { breachRanges } from './breach-ranges.js';
import { type HttpRecorder, openHttpRecorder } from './http-recorder.js';

let recorder: HttpRecorder;
beforeAll(async () => {
  recorder = await openHttpRecorder(breachRanges(['password1', 'letmein']));
});
afterAll(() => recorder.close());

async function rangeOf(password: string, headers: Record<string, string> = {}) {
  const digest = createHash('sha1').update(password).digest('hex').toUpperCase();
  const reply = await fetch(`${recorder.origin}/range/${digest.slice(0, 5)}`, { headers });
  const lines = (await reply.text()).split('\r\n');
  return { lines, counted: lines.find((line) => line.startsWith(digest.slice(5))) };
}

test('a breached password stands in its range with its count, among others', async () => {
  const { lines, counted } = await rangeOf('letmein');
  expect(counted).toMatch(/^[0-9A-F]{35}:42$/);
  expect(lines.length).toBeGreaterThan(1);
});

test('another password does not', async () => {
  const { lines, counted } = await rangeOf('correct horse battery');
  expect(counted).toBeUndefined();
  expect(lines).toHaveLength(1);
});

test('padding has the count 0', async () => {
  const { lines } = await rangeOf('other', { 'Add-Padding': 'true' });
  expect(lines.filter((line) => line.endsWith(':0'))).toHaveLength(20);
});

test('more than five digits are refused: a client must not show the whole hash', async () => {
  expect((await fetch(`${recorder.origin}/range/ABCDEF`)).status).toBe(400);
});
