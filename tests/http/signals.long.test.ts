import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';
import { asSuperuser, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

// Two processes of one deployment: what is changed through the first must hold in the second.
let first: Deployment;
let second: Deployment;
let here: ProjectUnderTest;
let there: ProjectUnderTest;

beforeAll(async () => {
  first = await Deployment.open();
  second = await Deployment.open({}, first);
  here = await first.createProject();
  there = here.through(second.apiOrigin);
  await here.sql('create table many (id int); insert into many select generate_series(1, 5)');
  expect((await there.asService({ path: '/rest/v1/many' })).status).toBe(200);
});
afterAll(async () => {
  await second.stop();
  await first.close();
});

const rowsThere = async () =>
  (await there.asService({ path: '/rest/v1/many' })).headers['content-range'];

test('settings saved in one process hold in the other', async () => {
  await here.asService({
    method: 'PUT',
    path: '/api/admin/settings/api.rest',
    body: { maxRows: 3 },
  });
  await waitFor(async () => (await rowsThere()) === '0-2/*');
});

test('a settings signal that was lost is repaired by comparing versions', async () => {
  // A change in the database alone: nobody is told.
  await asSuperuser(
    `update platform.app_settings set value = '{"maxRows": 4}' where name = 'api.rest';
     update platform.settings_version set version = version + 1`,
    { database: here.database },
  );
  await waitFor(async () => (await rowsThere()) === '0-3/*');
});

test('a pause and a resume in one process hold in the other', async () => {
  const change = (verb: 'pause' | 'resume') =>
    first.console({ method: 'POST', path: `/platform/projects/${here.ref}/${verb}` });
  expect((await change('pause')).status).toBeLessThan(300);
  await waitFor(async () => (await there.send({ path: '/api/health-check' })).status === 503);
  const refused = await there.send({ path: '/rest/v1/many' });
  expect(refused.body).toMatchObject({ code: 'PROJECT_PAUSED', status: 503 });
  expect((await change('resume')).status).toBeLessThan(300);
  await waitFor(async () => (await there.send({ path: '/api/health-check' })).status === 200);
});

test('a record whose signal was lost is repaired by comparing versions', async () => {
  await asSuperuser(
    `update project set status = 'paused', version = nextval('project_version') where ref = $1`,
    {
      database: first.ground.databaseName,
      values: [here.ref],
    },
  );
  await waitFor(async () => (await there.send({ path: '/api/health-check' })).status === 503);
  await asSuperuser(
    `update project set status = 'active', version = nextval('project_version') where ref = $1`,
    {
      database: first.ground.databaseName,
      values: [here.ref],
    },
  );
  await waitFor(async () => (await there.send({ path: '/api/health-check' })).status === 200);
});

test('a rotated key is dead in both processes', async () => {
  const reply = await first.console({
    method: 'POST',
    path: `/platform/projects/${here.ref}/keys/rotate`,
    body: { kind: 'publishable', expiresInSeconds: 0 },
  });
  expect(reply.status).toBeLessThan(300);
  const withOldKey = { path: '/rest/v1/many', headers: { apikey: here.publishableKey } };
  await waitFor(async () => (await there.send(withOldKey)).status === 401);
  await waitFor(async () => (await here.send(withOldKey)).status === 401);
});

test('a domain that is vouched for in one process is answered by the other', async () => {
  const domain = `${here.ref}.shop.example.org`;
  expect((await there.send({ path: '/api/health-check', headers: { host: domain } })).status).toBe(
    404,
  );
  const added = await first.console({
    method: 'POST',
    path: `/platform/projects/${here.ref}/domains`,
    body: { domain },
  });
  expect(added.status).toBe(201);
  const vouched = await first.console({
    method: 'POST',
    path: `/platform/projects/${here.ref}/domains/${domain}/vouch`,
  });
  expect(vouched.status).toBe(200);
  const ask = () => there.send({ path: '/api/health-check', headers: { host: domain } });
  await waitFor(async () => (await ask()).status === 200);
});

test('a project that can be restored is missing in both processes until then', async () => {
  const kept = await first.createProject();
  const keptThere = kept.through(second.apiOrigin);
  const statuses = () =>
    Promise.all(
      [kept, keptThere].map(
        async (side) => (await side.send({ path: '/api/health-check' })).status,
      ),
    );
  expect(await statuses()).toEqual([200, 200]);
  const path = `/platform/projects/${kept.ref}`;
  await first.console({ method: 'DELETE', path, body: { ref: kept.ref } });
  await waitFor(async () => (await statuses()).every((status) => status === 404));
  await first.console({ method: 'POST', path: `${path}/restore` });
  await waitFor(async () => (await statuses()).every((status) => status === 200));
});

test('a deleted project is gone from both processes', async () => {
  const doomed = await first.createProject();
  const doomedThere = doomed.through(second.apiOrigin);
  expect((await doomedThere.send({ path: '/api/health-check' })).status).toBe(200);
  const path = `/platform/projects/${doomed.ref}`;
  const refused = await first.console({ method: 'DELETE', path, body: { ref: 'something' } });
  expect(refused.body).toMatchObject({ code: 'REF_NOT_CONFIRMED' });
  const deleted = await first.console({
    method: 'DELETE',
    path: `${path}?now=true`,
    body: { ref: doomed.ref },
  });
  expect(deleted.status).toBeLessThan(300);
  await waitFor(async () => (await doomedThere.send({ path: '/api/health-check' })).status === 404);
  const left = await asSuperuser('select rolname as name from pg_roles where rolname like $1', {
    values: [`${doomed.ref}%`],
  });
  expect(left).toEqual([]);
});
