import { expect, test } from 'vitest';

import { type Listener, listenerBody } from './listener.js';
import { ServerClock } from './server-clock.js';

const listener: Listener = {
  id: 1,
  as: { role: 'anon' },
  who: 'a visitor',
  topic: 'room',
  isPrivate: true,
  tables: ['planets', 'moons'],
  event: '*',
  filter: '',
  presenceKey: 'console-1',
  presence: undefined,
};

test('a listener is a join of the API', () => {
  expect(listenerBody(listener)).toEqual({
    as: { role: 'anon' },
    join: {
      topic: 'room',
      config: {
        private: true,
        presence: { key: 'console-1' },
        postgres_changes: [
          { event: '*', schema: 'public', table: 'planets' },
          { event: '*', schema: 'public', table: 'moons' },
        ],
      },
    },
  });
});

test('cursor, filter and presence are sent if there are any', () => {
  const one = { ...listener, tables: ['planets'], filter: 'moons=gt.2', presence: { name: 'A' } };
  const { join, presence } = listenerBody(one, 'cursor');
  expect(join.resume).toBe('cursor');
  expect(join.config.postgres_changes[0]).toMatchObject({ filter: 'moons=gt.2' });
  expect(presence).toEqual({ name: 'A' });
});

test('the fastest event says how far the clock of the browser is off', () => {
  const clock = new ServerClock();
  // The browser is 5 s behind; the first event was under way for 80 ms more than the second.
  expect(clock.arrived(10_000, 5_100)).toBe(10_000);
  expect(clock.arrived(10_100, 5_120)).toBe(10_100);
  expect(clock.arrived(10_200, 5_290)).toBe(10_270);
});
