import { expect, test } from 'vitest';

import { mayKillServer } from './kills.js';

test.each([
  { minute: 0, may: true },
  { minute: 44, may: true },
  { minute: 45, may: false },
  { minute: 60, may: false },
])('in minute $minute of an hour the server may be killed: $may', ({ minute, may }) => {
  expect(mayKillServer(minute * 60_000, 60 * 60_000)).toBe(may);
});
