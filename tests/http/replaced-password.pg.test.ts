// The password of the owner's login is replaced while the project is served: what uses it goes on with the new one.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

let deployment: Deployment;
let project: ProjectUnderTest;
beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
}, 60_000);
afterAll(() => deployment.close());

test('the SQL editor works after the password was replaced', async () => {
  expect(await project.sql('select 1 as one')).toEqual([{ one: 1 }]);
  const path = `/platform/projects/${project.ref}/database/password`;
  expect(await deployment.console({ method: 'POST', path })).toMatchObject({ status: 200 });
  expect(await project.sql('select 2 as two')).toEqual([{ two: 2 }]);
});
