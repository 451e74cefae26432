// The lines that the console writes about requests.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { openLog } from '../../bin/log.js';
import { startConsole, type TestConsole } from './console-under-test.js';

const lines: string[] = [];
let console: TestConsole;

beforeAll(async () => {
  console = await startConsole({
    log: openLog('info', { write: (line) => void lines.push(line) }),
  });
}, 60_000);
afterAll(async () => {
  await console[Symbol.asyncDispose]();
}, 60_000);

test('a line about a request names its id once', async () => {
  const reply = await console.call('GET', '/platform/session');
  const id = String(reply.headers['x-request-id']);
  const find = () => lines.find((each) => each.includes(id));
  await waitFor(async () => find() !== undefined);
  const line = find() ?? '';
  expect(line.match(/"requestId":/g)).toHaveLength(1);
  expect(JSON.parse(line)).toMatchObject({ app: 'console', requestId: id, status: reply.status });
});
