// What the level of a session is for: policies of the project's tables, read with each request.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { URI } from 'otpauth';
import { Deployment } from '../support/deployment.js';
import { userPassword, type ProjectUnderTest, type SignedIn } from '../support/project.js';
import { at, textAt } from '../support/replies.js';

let deployment: Deployment;
let project: ProjectUnderTest;
let user: SignedIn;
beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  const saved = await project.asService({
    method: 'PUT',
    path: '/api/admin/settings/auth.twoFactor',
    body: { enabled: true },
  });
  expect(saved.status).toBe(200);
  await project.sql(`
    create table vault (text text primary key);
    insert into vault values ('for the second level');
    create policy second_level on vault for select to authenticated
      using (auth.jwt() ->> 'aal' = 'aal2');`);
  user = await project.signUp('vault@example.com');
}, 60_000);
afterAll(() => deployment.close());

const read = async () => (await project.as(user, { path: '/rest/v1/vault?select=text' })).body;

const post = (path: string, body: object) =>
  project.as(user, { method: 'POST', path: `/api/auth/two-factor/${path}`, body });

test('a policy may demand the second level, which a code gives and the end of the factor takes', async () => {
  expect(await read()).toEqual([]);
  const enrolment = await post('enable', { password: userPassword });
  expect(await read()).toEqual([]);
  const code = URI.parse(textAt(enrolment.body, 'totpURI')).generate();
  const verified = await post('verify-totp', { code });
  expect([verified.status, at(verified.body, 'token')]).toEqual([200, user.token]);
  expect(await read()).toEqual([{ text: 'for the second level' }]);
  await post('disable', { password: userPassword });
  expect(await read()).toEqual([]);
});
