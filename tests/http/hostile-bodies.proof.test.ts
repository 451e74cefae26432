// Every route of both applications; one of each kind is in hostile-bodies.long.test.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { call, findFaults, ofApi, ofConsole, readerOf, type TypedBody } from './hostile-bodies.js';

let deployment: Deployment;
let project: ProjectUnderTest;
/** Reads rows of another project. */
let neighbor: () => Promise<void>;
beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  neighbor = await readerOf(await deployment.createProject());
});
afterAll(() => deployment.close());

describe('every body is taken or refused with a code, and none holds the loop or keeps a neighbor waiting', () => {
  test.each(ofApi)('of the API: $name', async (route) => {
    const headers = { host: project.host, apikey: project.secretKey };
    const ask = (body: TypedBody) => call(deployment.apiOrigin, route, body, headers);
    expect(await findFaults(route, ask, neighbor)).toEqual([]);
  });

  test.each(ofConsole)('of the console: $name', async (route) => {
    const headers = { authorization: `Bearer ${deployment.operatorToken}` };
    const ask = (body: TypedBody) => call(deployment.consoleOrigin, route, body, headers);
    expect(await findFaults(route, ask, neighbor)).toEqual([]);
  });
});
