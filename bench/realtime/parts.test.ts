import { expect, test } from 'vitest';
import { countEvents } from './count-events.js';
import { allowedSockets } from './crowd.js';
import { okAnswer } from './load-socket.js';
import { measuredTogether, timesMeasured } from './place.js';

const change = (body: string) =>
  `{"id":"1.2","b":["binding"],"d":{"schema":"public","new":{"body":${JSON.stringify(body)}}}}`;

test.each([
  { name: 'a message', packet: '42["rt:msg",{"t":"x"}]', is: 1 },
  { name: 'one change', packet: `42["rt:pg",{"t":"x","e":[${change('a')}]}]`, is: 1 },
  {
    name: 'three changes',
    packet: `42["rt:pg",{"t":"x","e":[${[change('a'), change('"b":['), change('c')].join(',')}]}]`,
    is: 3,
  },
  { name: 'a packet shorter than the name of an event', packet: '42["x"]', is: 1 },
])('events of a packet: $name', ({ packet, is }) => {
  expect(countEvents(Buffer.from(packet))).toBe(is);
});

test('no more sockets than a process may have files', () => {
  expect(allowedSockets(10)).toBe(10);
  expect(allowedSockets(1e9)).toBeLessThan(1e9);
});

test('an answer is ok, or an error that shows it', () => {
  expect(okAnswer({ status: 'ok', cursor: 'c' })).toMatchObject({ cursor: 'c' });
  expect(() => okAnswer({ status: 'error', code: 'RATE_LIMITED' })).toThrow(/RATE_LIMITED/);
  expect(() => okAnswer(undefined)).toThrow();
});

test('the middle of times, and that of the slowest hundredth', () => {
  const times = Array.from({ length: 200 }, (_, index) => 200 - index);
  expect(timesMeasured(times)).toEqual({ perSecond: 1000 / 100.5, p50Ms: 100.5, p99Ms: 198 });
  expect(() => timesMeasured([])).toThrow();
});

test('what is measured together is measured once in each round', async () => {
  let rounds = 0;
  const key = { target: 'product', work: 'hello', connections: 1 } as const;
  const [a, b] = measuredTogether(
    { a: key, b: key },
    () => {
      rounds += 1;
      return Promise.resolve({ a: { perSecond: rounds }, b: { perSecond: 10 * rounds } });
    },
    () => Promise.resolve(undefined),
  );
  const rates = [];
  for (let round = 0; round < 2; round += 1) {
    rates.push((await a?.measure())?.perSecond, (await b?.measure())?.perSecond);
  }
  expect(rates).toEqual([1, 10, 2, 20]);
});
