// Every route of both applications; one of each kind is in hostile-bodies.pg.test.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { call, findFaults, ofApi, ofConsole } from './hostile-bodies.js';

let deployment: Deployment;
let project: ProjectUnderTest;
beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
});
afterAll(() => deployment.close());

describe('every body is taken or refused with a code, and none holds the event loop', () => {
  test.each(ofApi)('of the API: $name', async (route) => {
    const headers = { host: project.host, apikey: project.secretKey };
    const faults = await findFaults(route, (body) =>
      call(deployment.apiOrigin, route, body, headers),
    );
    expect(faults).toEqual([]);
  });

  test.each(ofConsole)('of the console: $name', async (route) => {
    const headers = { authorization: `Bearer ${deployment.operatorToken}` };
    const faults = await findFaults(route, (body) =>
      call(deployment.consoleOrigin, route, body, headers),
    );
    expect(faults).toEqual([]);
  });
});
