// A first start that was cut short while it made the demo project is made up for by the next one.
import { expect, test } from 'vitest';
import { createProject, openControlPlane, projectsContext } from '#libs/control-plane';

import { Deployment, testDatabaseUrl } from '../support/deployment.js';
import { send } from '../support/http.js';

test('the demo project is made by the start after the one that was cut short', async () => {
  const first = await Deployment.open();
  await first.stop();
  const { databaseName, masterKey, dataDir } = first.ground;
  const databaseUrl = testDatabaseUrl();
  const controlPlane = await openControlPlane({
    databaseUrl,
    databaseName,
    masterKey,
    dataDir,
    reservedRefs: [],
  });
  const [organization]: { id: string }[] = await controlPlane.dataSource.query(
    'select id from organization',
  );
  const context = {
    ...projectsContext(controlPlane, async () => undefined),
    runSteps: async (steps: readonly { run(): Promise<void> }[]) => {
      for (const step of steps.slice(0, 5)) await step.run();
      throw new Error('cut short');
    },
  };
  const demo = { ref: 'demo', name: 'Demo', organizationId: organization?.id ?? '' };
  await expect(createProject(context, 'system', demo)).rejects.toThrow('cut short');
  await controlPlane.close();
  const deployment = await Deployment.open({
    ground: first.ground,
    env: { DEFAULT_PROJECT: 'demo' },
  });
  try {
    const made = await deployment.console({ path: '/platform/projects/demo' });
    expect(made).toMatchObject({ status: 200, body: { status: 'active' } });
    const read = await send(deployment.apiOrigin, { path: '/api/health-check' });
    expect(read.status).toBe(200);
  } finally {
    await deployment.console({
      method: 'DELETE',
      path: '/platform/projects/demo?now=true',
      body: { ref: 'demo' },
    });
    await deployment.close();
  }
}, 60_000);
