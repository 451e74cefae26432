import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';

// The client reads the address of the page and the session of the tab when it is loaded.
vi.stubGlobal('window', {
  location: { origin: 'https://console.example.org' },
  sessionStorage: { getItem: () => null },
});
const { schemaKey, schemaQuery } = await import('./schema.js');
const { functionQuery, tableDetailsQuery } = await import('../structure/queries.js');
const { refreshPolicies } = await import('../policies/queries.js');
vi.unstubAllGlobals();

const keys = [
  schemaQuery('shop'),
  schemaQuery('shop', 'tables'),
  tableDetailsQuery('shop', 'books'),
  functionQuery('shop', '1'),
].map(({ queryKey }): readonly string[] => queryKey);
const other: readonly string[] = schemaQuery('other').queryKey;

function filled(): { client: QueryClient; stale: () => readonly (readonly string[])[] } {
  const client = new QueryClient();
  for (const key of [...keys, other]) client.setQueryData(key, {});
  const isStale = (key: readonly string[]) => client.getQueryState(key)?.isInvalidated;
  return { client, stale: () => [...keys, other].filter(isStale) };
}

test('a schema has one key, which differs from those of other schemas and details', () => {
  expect(schemaQuery('shop').queryKey).toEqual(schemaQuery('shop', 'public').queryKey);
  expect(new Set(keys.map(String)).size).toBe(keys.length);
});

test('everything about the schemas of a project is invalidated by one key', async () => {
  const { client, stale } = filled();
  await client.invalidateQueries({ queryKey: schemaKey('shop') });
  expect(stale()).toEqual(keys);
});

test('a change of policies invalidates the schema, which counts them', async () => {
  const { client, stale } = filled();
  await refreshPolicies(client, 'shop');
  expect(stale()).toEqual(keys);
});
