import { describe, expect, test } from 'vitest';
import { catalogOf, table } from '../tests/build-catalog.js';
import { findExposedTable } from './exposure.js';
import { nearestName } from './nearest.js';

const BLOCKED = [
  'session',
  'account',
  'verification',
  'jwks',
  'app_settings',
  'edge_function_secrets',
  'schema_migrations',
  'realtime_outbox',
];

describe('findExposedTable', () => {
  const catalog = catalogOf(['planets', ...BLOCKED].map((name) => table(name, { columns: [] })));

  test('a table of the catalog is found', () => {
    expect(findExposedTable(catalog, 'planets').name).toBe('planets');
  });

  test.each([...BLOCKED, 'moons', '', '__proto__', 'public.planets', 'Planets'])(
    '%s is PGRST205',
    (name) => {
      expect(() => findExposedTable(catalog, name)).toThrow(
        expect.objectContaining({ code: 'PGRST205', status: 404 }),
      );
    },
  );

  test('the hint is the nearest exposed table', () => {
    const hintOf = (name: string) => {
      try {
        return findExposedTable(catalog, name);
      } catch (error) {
        return error;
      }
    };
    expect(hintOf('planet')).toMatchObject({ hint: 'Perhaps you meant the table planets' });
    expect(hintOf('sesion')).toMatchObject({ hint: undefined });
  });

  test('a name of any length is quoted in part', () => {
    expect(() => findExposedTable(catalog, 'x'.repeat(5000))).toThrow(/^.{1,100}$/);
  });
});

describe('nearestName', () => {
  const names = ['planets', 'plants', 'id', 'user_id'];
  test.each([
    { wanted: 'planet', nearest: 'planets' },
    { wanted: 'PLANTS', nearest: 'plants' },
    { wanted: 'userid', nearest: 'user_id' },
    { wanted: 'completely different', nearest: undefined },
    { wanted: 'x', nearest: undefined },
    { wanted: '', nearest: undefined },
    { wanted: 'p'.repeat(100), nearest: undefined },
  ])('$wanted -> $nearest', ({ wanted, nearest }) => {
    expect(nearestName(wanted, names)).toBe(nearest);
  });
});
