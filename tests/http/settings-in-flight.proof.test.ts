// With fewer requests and saves: settings.pg.test.ts.
import { afterAll, beforeAll, test } from 'vitest';

import { House } from '../support/house.js';
import { checkRequestsInFlight } from './requests-in-flight.js';

let house: House;
beforeAll(async () => {
  house = await House.shared();
});
afterAll(() => house.close());

test('50 slow requests in flight over 20 saves: none fails, none sees half a configuration', async () => {
  await checkRequestsInFlight(await house.createProject(), { requests: 50, saves: 20 });
}, 180_000);
