// Every route of both applications; one of each kind is in hostile-bodies.pg.test.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { House } from '../support/house.js';
import type { ProjectUnderTest } from '../support/project.js';
import { call, findFaults, ofApi, ofConsole } from './hostile-bodies.js';

let house: House;
let project: ProjectUnderTest;
beforeAll(async () => {
  house = await House.shared();
  project = await house.createProject();
});
afterAll(() => house.close());

describe('every body is taken or refused with a code, and none holds the event loop', () => {
  test.each(ofApi)('of the API: $name', async (route) => {
    const headers = { host: project.host, apikey: project.secretKey };
    const faults = await findFaults(route, (body) => call(house.apiOrigin, route, body, headers));
    expect(faults).toEqual([]);
  });

  test.each(ofConsole)('of the console: $name', async (route) => {
    const headers = { authorization: `Bearer ${house.operatorToken}` };
    const faults = await findFaults(route, (body) =>
      call(house.consoleOrigin, route, body, headers),
    );
    expect(faults).toEqual([]);
  });
});
