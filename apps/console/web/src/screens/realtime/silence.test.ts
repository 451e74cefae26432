// Why a listener receives nothing, as far as the console knows.
import { expect, test } from 'vitest';

import type { Listener } from './listener.js';
import { type KnownTable, reasonsOfSilence } from './silence.js';

const listener: Listener = {
  id: 1,
  as: { role: 'anon' },
  who: 'a visitor',
  topic: 'room',
  isPrivate: false,
  tables: ['planets'],
  event: '*',
  filter: '',
  presenceKey: 'console-1',
  presence: undefined,
};
type Details = NonNullable<KnownTable['details']>;
const policy = (more: Partial<Details['policies'][number]> = {}): Details['policies'][number] => ({
  name: 'own',
  command: 'select',
  roles: ['public'],
  isPermissive: true,
  using: 'true',
  check: null,
  comment: null,
  ...more,
});
const details = (more: Partial<Details> = {}): Details => ({
  hasRls: true,
  policies: [policy()],
  grants: { anon: ['select'], authenticated: ['select'], service_role: ['select'] },
  ...more,
});
const planets = (more: Partial<KnownTable> = {}): KnownTable => ({
  name: 'planets',
  announced: { table: 'planets', enabled: true },
  details: details(),
  ...more,
});

const nothing = 'Nothing was written to planets since it joined.';
const hidden = 'The policies of planets hide the rows that were written from this caller.';

interface Case {
  readonly name: string;
  readonly of?: Partial<Listener>;
  readonly table?: Partial<KnownTable>;
  /** The only certain reason; absent: there is none. */
  readonly certain?: string;
  /** All reasons. */
  readonly reasons?: readonly string[];
}

test.each<Case>([
  { name: 'its policies, or nothing was written', reasons: [hidden, nothing] },
  {
    name: 'the table is off',
    table: { announced: { table: 'planets', enabled: false } },
    certain: 'planets is switched off under “Tables”, so it announces nothing.',
  },
  {
    name: 'no policy for the role',
    table: { details: details({ policies: [policy({ roles: ['authenticated'] })] }) },
    certain: 'No policy lets the role anon read planets.',
  },
  {
    name: 'a restrictive policy alone',
    table: { details: details({ policies: [policy({ isPermissive: false })] }) },
    certain: 'No policy lets the role anon read planets.',
  },
  {
    name: 'a policy without USING',
    table: {
      details: details({ policies: [policy({ command: 'all', using: null, check: 'true' })] }),
    },
    certain: 'No policy lets the role anon read planets.',
  },
  {
    name: 'a policy for another command alone',
    table: { details: details({ policies: [policy({ command: 'insert' })] }) },
    certain: 'No policy lets the role anon read planets.',
  },
  {
    name: 'no right on the table',
    table: {
      details: details({ grants: { anon: [], authenticated: ['select'], service_role: [] } }),
    },
    certain: 'The role anon has no right to read planets.',
  },
  { name: 'a table without policies', table: { details: details({ hasRls: false }) } },
  { name: 'a table of which nothing is known', table: { details: undefined } },
  {
    name: 'a secret key, which passes policies',
    of: { as: { role: 'service_role' } },
    table: { details: details({ policies: [] }) },
  },
  {
    name: 'a user, as authenticated',
    of: { as: { userId: 'u1' } },
    table: { details: details({ policies: [policy({ roles: ['anon'] })] }) },
    certain: 'No policy lets the role authenticated read planets.',
  },
  {
    name: 'a filter and one event',
    of: { filter: 'moons=gt.2', event: 'DELETE' },
    reasons: [
      hidden,
      'The filter lets only rows with moons=gt.2 pass.',
      'It receives only DELETE.',
      nothing,
    ],
  },
])('$name', ({ of, table, certain, reasons }) => {
  const found = reasonsOfSilence({ ...listener, ...of }, [planets(table)]);
  expect(found.filter(({ isCertain }) => isCertain).map(({ text }) => text)).toEqual(
    certain === undefined ? [] : [certain],
  );
  expect(found.at(-1)).toEqual({ text: nothing, isCertain: false });
  if (reasons) expect(found.map(({ text }) => text)).toEqual(reasons);
});

test('without a table no change comes', () => {
  const found = reasonsOfSilence({ ...listener, tables: [] }, []);
  expect(found.map(({ text }) => text)).toEqual([
    'No message was sent to room since it joined.',
    'It has joined without a table, so no change of a row comes.',
  ]);
});
