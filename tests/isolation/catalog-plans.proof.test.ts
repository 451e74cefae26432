// Plans of queries over each column of the catalogs do not tell project A of a neighbour.
import { afterAll, beforeAll, expect, test } from 'vitest';
import pg from 'pg';

import { Deployment } from '../support/deployment.js';
import { differencesOf, readCatalogColumns, readPlans } from './plans-of-catalogs.js';

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

test('plans and counts of rows are the same after a neighbour has come', async () => {
  const columns = await readCatalogColumns(client);
  expect(columns.length).toBeGreaterThan(50);
  // The second run finds the plans of functions and the statistics as the third does.
  await readPlans(client, columns);
  const before = await readPlans(client, columns);
  await deployment.createProject();
  expect(differencesOf(before, await readPlans(client, columns))).toEqual([]);
}, 900_000);
