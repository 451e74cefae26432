// The function of the demo project is stored without a deploy, and runs all the same. The ref of the demo is left to the
// tests of the first start: two deployments of one server cannot make a project of one ref at the same time.
import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  getProjectRecord,
  noteDeliveries,
  openControlPlane,
  projectsContext,
} from '#libs/control-plane';
import { waitFor } from '#libs/testing';

import { storeDemoFunction } from '../../bin/demo-function.js';
import { demoSql } from '../../bin/demo-project.js';
import { withProjectDatabase } from '#libs/database';
import { type Deployment, testDatabaseUrl } from '../support/deployment.js';
import { type EdgeProject, openEdgeProject } from './edge-fixture.js';
import { describeWithDeno } from './functions-fixture.js';

describeWithDeno('the function of the demo', () => {
  let deployment: Deployment;
  let edge: EdgeProject;
  beforeAll(async () => {
    ({ deployment, edge } = await openEdgeProject());
    await edge.project.sql(demoSql);
    await storeIn(deployment, edge.project.ref);
  }, 60_000);
  afterAll(() => deployment.close());

  const lines = async () =>
    (await edge.list('/logs?function=diary', 'logs')).map(({ message }) => message);

  test('is called for a new comment, and by its schedule', async () => {
    await edge.project.sql(`insert into comments (post_id, body) values (1, 'Well said')`);
    await waitFor(async () => (await lines()).includes('New comment: Well said'));
    const [schedule] = await edge.list('/schedules', 'schedules');
    expect(schedule).toMatchObject({ cron: '0 7 * * *', function: 'diary' });
    await edge.asked('POST', `/schedules/${String(schedule?.['id'])}/run`);
    await waitFor(async () => (await lines()).includes('Good morning'));
  });

  test('is an ordinary function', async () => {
    expect(await edge.asked('GET', '/diary')).toMatchObject({ activeVersion: 1, route: 'diary' });
    const code = 'Deno.serve(() => new Response("changed"));';
    expect(await edge.deploy('diary', code)).toMatchObject({ activeVersion: 2 });
    expect((await edge.call('diary')).text).toBe('changed');
  });
});

async function storeIn({ ground }: Deployment, ref: string): Promise<void> {
  const { databaseName, masterKey, dataDir } = ground;
  const databaseUrl = testDatabaseUrl();
  const parts = { databaseUrl, databaseName, masterKey, dataDir, reservedRefs: [] };
  const controlPlane = await openControlPlane(parts);
  try {
    const context = projectsContext(controlPlane, async () => undefined);
    const record = await getProjectRecord(context, ref);
    if (!record) throw new Error(`no project ${ref}`);
    await withProjectDatabase(record, storeDemoFunction);
    await noteDeliveries(context, ref);
  } finally {
    await controlPlane.close();
  }
}
