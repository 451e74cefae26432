// Plans of queries over each column of the catalogs do not tell project A of a neighbor.
import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  type CatalogReader,
  openCatalogReader,
  plansChangedByNeighbor,
  readCatalogColumns,
} from './plans-of-catalogs.js';

let reader: CatalogReader;
beforeAll(async () => {
  reader = await openCatalogReader();
}, 60_000);
afterAll(() => reader[Symbol.asyncDispose]());

test('plans over every column are the same after a project is created', async () => {
  const columns = await readCatalogColumns(reader.client);
  expect(columns.length).toBeGreaterThan(50);
  expect(await plansChangedByNeighbor(reader, columns)).toEqual([]);
}, 900_000);
