import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { HttpCall } from '#libs/wire';
import { createBreachCheck, type BreachLogEntry } from './breach-check.js';

const password = 'correct horse';
const digest = createHash('sha1').update(password).digest('hex').toUpperCase();
const [prefix, ending] = [digest.slice(0, 5), digest.slice(5)];
const strange = '0'.repeat(35);

interface Options {
  readonly onFailure?: 'allow' | 'refuse';
  readonly url?: string;
  readonly status?: number;
}

/** A check whose service answers `text`, or rejects with it when it is an error. */
function open(text: string | Error, { onFailure = 'refuse', url, status = 200 }: Options = {}) {
  const asked: Parameters<HttpCall>[0][] = [];
  const log: BreachLogEntry[] = [];
  const check = createBreachCheck({
    call: (request) => {
      asked.push(request);
      if (text instanceof Error) return Promise.reject(text);
      return Promise.resolve({ status, headers: new Headers(), text });
    },
    ...(url !== undefined && { url }),
    onFailure,
    timeoutMs: 700,
    log: (entry) => log.push(entry),
  });
  return { check, asked, log };
}

test('the service learns five digits of the digest, and pads its answer', async () => {
  const { check, asked } = open('');
  await check(password);
  expect(asked).toEqual([
    {
      url: `https://api.pwnedpasswords.com/range/${prefix}`,
      headers: { 'add-padding': 'true', accept: 'text/plain' },
      timeoutMs: 700,
    },
  ]);
});

test.each(['https://mirror.example/range', 'https://mirror.example/range/'])(
  'a mirror at %s is asked below its address',
  async (url) => {
    const { check, asked } = open('', { url });
    await check(password);
    expect(asked[0]?.url).toBe(`https://mirror.example/range/${prefix}`);
  },
);

test.each([
  { name: 'a known one', text: `${strange}:3\r\n${ending}:1`, isBreached: true },
  { name: 'a known one in small letters', text: `${ending.toLowerCase()}:12\n`, isBreached: true },
  { name: 'an unknown one', text: `${strange}:3\r\n`, isBreached: false },
  {
    name: 'an ending that is there as padding',
    text: `${ending}:0\r\n${strange}:5`,
    isBreached: false,
  },
  { name: 'no endings at all', text: '', isBreached: false },
])('$name: breached is $isBreached', async ({ text, isBreached }) => {
  expect(await open(text).check(password)).toEqual({ isBreached });
});

test.each([
  { name: 'no answer', answer: new Error('timeout'), status: 200 },
  { name: 'another status', answer: `${ending}:1`, status: 503 },
  { name: 'a page instead of a list', answer: '<html>Sign in to this network</html>', status: 200 },
])(
  '$name is refused or let through and logged, as the settings say',
  async ({ answer, status }) => {
    await expect(open(answer, { status }).check(password)).rejects.toMatchObject({
      code: 'BREACH_CHECK_UNAVAILABLE',
      status: 503,
    });
    const { check, log } = open(answer, { status, onFailure: 'allow' });
    expect(await check(password)).toEqual({ isBreached: false });
    expect(log).toEqual([{ level: 'warn', message: expect.any(String), cause: expect.any(Error) }]);
    expect(`${log[0]?.message} ${String(log[0]?.cause)}`).not.toContain(prefix);
  },
);
