// Plans of queries over each column of the catalogs do not tell project A of a neighbour.
import { afterAll, beforeAll, expect, test } from 'vitest';
import pg from 'pg';

import { Deployment } from '../support/deployment.js';
import { plansChangedBy, readCatalogColumns } from './plans-of-catalogs.js';

let deployment: Deployment;
let client: pg.Client;

beforeAll(async () => {
  deployment = await Deployment.shared();
  const project = await deployment.createProject();
  client = new pg.Client({ connectionString: project.databaseUrl });
  await client.connect();
}, 60_000);
afterAll(async () => {
  await client.end();
  await deployment.close();
});

test('plans over every column are the same after a project is created', async () => {
  const columns = await readCatalogColumns(client);
  expect(columns.length).toBeGreaterThan(50);
  expect(await plansChangedBy(() => deployment.createProject(), client, columns)).toEqual([]);
}, 900_000);
