// Several processes of a deployment may start for the first time at once.
import { deleteProject, getProjectRecord } from '#libs/control-plane';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { parseEnv } from '../../bin/env.js';
import { prepareFirstRun } from '../../bin/first-run.js';
import { openFixture, type ControlPlaneFixture } from '../console/control-plane-fixture.js';

let fixture: ControlPlaneFixture;
beforeAll(async () => {
  fixture = await openFixture();
}, 60_000);
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
}, 60_000);

test('processes that start at the same time make the demo project once', async () => {
  const { controlPlane, context, dataDir } = fixture;
  const env = parseEnv({ DATA_DIR: dataDir });
  const start = () => prepareFirstRun(env, controlPlane, context);
  const query = (sql: string): Promise<unknown[]> => controlPlane.dataSource.query(sql);
  // The first round opens the connections; in those that follow, the processes come closer.
  for (let round = 0; round < 4; round += 1) {
    await Promise.all([start(), start(), start()]);
    expect((await getProjectRecord(context, 'demo'))?.status).toBe('active');
    expect(await query(`select action from audit_entry where ref = 'demo'`)).toEqual([
      { action: 'project.create' },
    ]);
    await deleteProject(context, 'system', 'demo');
    await query('delete from audit_entry');
  }
}, 60_000);
