// Plans of queries over the catalogs do not tell project A of a neighbor. catalog-plans.proof.test.ts tries every column.
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

test('plans over one column of each view are the same after a project is created', async () => {
  const all = await readCatalogColumns(reader.client);
  const columns = all.filter(
    ({ relation }, index) => all.findIndex((column) => column.relation === relation) === index,
  );
  expect(columns.length).toBeGreaterThan(10);
  expect(await plansChangedByNeighbor(reader, columns)).toEqual([]);
}, 120_000);

test('no view of PostgreSQL reads a table of the server', async () => {
  const reply = await reader.client.query(
    `select view.relname as view, shared.relname as shared
     from pg_rewrite join pg_class view on view.oid = ev_class
     join pg_class shared on shared.relisshared and strpos(ev_action::text, format(':relid %s ', shared.oid)) > 0`,
  );
  expect(reply.rows).toEqual([]);
});
