// With fewer requests and saves: settings.pg.test.ts.
import { afterAll, beforeAll, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import { checkRequestsInFlight } from './requests-in-flight.js';

let deployment: Deployment;
beforeAll(async () => {
  deployment = await Deployment.shared();
});
afterAll(() => deployment.close());

test('50 slow requests in flight over 20 saves: none fails, none sees half a configuration', async () => {
  await checkRequestsInFlight(await deployment.createProject(), { requests: 50, saves: 20 });
}, 180_000);
