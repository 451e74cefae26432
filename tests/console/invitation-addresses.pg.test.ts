// Which addresses people are invited at.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uniqueWord } from './control-plane-fixture.js';
import { startConsole, type TestConsole } from './console-under-test.js';

let site: TestConsole;
let owner: string;
let organizationId: string;
beforeAll(async () => {
  site = await startConsole();
  owner = await site.signIn(site.admin.email, site.admin.password);
  ({ organizationId } = site.fixture);
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

const path = '/platform/operators/invitations';
const address = () => `${uniqueWord('new')}@test.example`;

test.each([
  { name: 'a host without a dot', email: () => `${uniqueWord('a')}@localhost`, status: 201 },
  { name: 'letters of any script', email: () => `${uniqueWord('ä')}@test.example`, status: 201 },
  { name: 'a list', email: () => `a@test.example,${address()}`, status: 400 },
  { name: 'a name before the address', email: () => `A <${address()}>`, status: 400 },
  { name: 'a quoted part, which no mail is sent to', email: () => `"a"@test.example`, status: 400 },
  { name: 'no address', email: () => uniqueWord('no'), status: 400 },
])('both routes and the mail server agree on $name', async ({ email, status }) => {
  const body = { email: email(), role: 'viewer' };
  const members = `/platform/organizations/${organizationId}/members`;
  for (const reply of [
    await site.call('POST', path, { token: owner, body: { ...body, organizationId } }),
    await site.call('POST', members, { token: owner, body }),
  ]) {
    expect(reply.status).toBe(status);
    if (status === 400) {
      expect(reply.body).toMatchObject({ message: 'email: must be an email address' });
    }
  }
});
