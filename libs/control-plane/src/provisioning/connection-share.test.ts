import { expect, test } from 'vitest';
import fc from 'fast-check';

import { shareConnections } from './connection-share.js';

test.each([
  ['one project has all that is useful', { usable: 297, needed: 100, projects: 1 }, 20],
  ['eleven projects share what is left', { usable: 297, needed: 100, projects: 11 }, 15],
  ['a hundred projects have one each', { usable: 297, needed: 100, projects: 100 }, 1],
  ['nobody is shut out', { usable: 97, needed: 100, projects: 5 }, 1],
  ['no project at all', { usable: 97, needed: 60, projects: 0 }, 20],
])('without a reserve of the server: %s', (_name, server, perOwner) => {
  expect(shareConnections({ ...server, reserved: undefined }).perOwner).toBe(perOwner);
});

test.each([
  ['owners that are seldom there are overbooked', { usable: 297, projects: 50 }, 10],
  ['each can open a program and one beside it', { usable: 297, projects: 5_000 }, 3],
])('with a reserve of the server: %s', (_name, server, perOwner) => {
  const share = shareConnections({ ...server, needed: 100, reserved: 100 });
  expect(share).toEqual({ perOwner });
});

test('a reserve that is too small counts as none, and the operator is told', () => {
  expect(shareConnections({ usable: 97, needed: 90, projects: 10, reserved: 10 })).toEqual({
    perOwner: 1,
    warning:
      'Direct connections of owners may leave too few for requests (97 connections for 10 projects, of which the platform needs 90): set reserved_connections to 90 in postgresql.conf',
  });
});

test.each([{ usable: 100 }, { usable: 27 }])(
  'a server of $usable connections, too small for the reserve, has to grow with it',
  ({ usable }) => {
    const { warning } = shareConnections({ usable, needed: 100, projects: 10, reserved: 0 });
    expect(warning).toMatch(
      /: set max_connections to at least 133 and reserved_connections to 100 in postgresql\.conf$/,
    );
  },
);

test('an old server is told to grow', () => {
  const { warning } = shareConnections({
    usable: 97,
    needed: 90,
    projects: 10,
    reserved: undefined,
  });
  expect(warning).toMatch(/set max_connections to at least 123 in/);
});

test('owners together never take what the platform needs, unless there are more owners than places', () => {
  const size = fc.integer({ min: 0, max: 1_000 });
  fc.assert(
    fc.property(size, size, size, (usable, needed, projects) => {
      const { perOwner } = shareConnections({ usable, needed, projects, reserved: undefined });
      expect(perOwner).toBeGreaterThan(0);
      if (usable - needed >= projects) {
        expect(perOwner * projects).toBeLessThanOrEqual(usable - needed);
      }
    }),
  );
});
