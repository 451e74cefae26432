// Which addresses people are invited at.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusedAddresses } from '#libs/testing';
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

test.each<{ name: string; email: () => string; status: number }>([
  { name: 'a plain address', email: address, status: 201 },
  { name: 'a domain beyond ASCII', email: () => `${uniqueWord('a')}@täst.example`, status: 201 },
  ...refusedAddresses.map(({ name, sent }) => ({ name, email: () => sent, status: 400 })),
])('both routes agree on $name', async ({ email, status }) => {
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
