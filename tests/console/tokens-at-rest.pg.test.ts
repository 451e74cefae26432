// Whoever reads a dump of the control plane can sign in nowhere with it: of every token that an operator is
// given there are only hashes.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { tokensOfFields } from '../support/given-tokens.js';
import { dumpOf, tablesWith } from '../support/database-dump.js';
import { startConsole, testPassword, type TestConsole } from './console-under-test.js';
import { enrolOperator, loginWith, secondFactor } from './second-factor.js';
import { totp } from './totp.js';

let site: TestConsole;
beforeAll(async () => {
  site = await startConsole();
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

const database = async (): Promise<string> => {
  const rows: { name: string }[] = await site.fixture.controlPlane.dataSource.query(
    'select current_database() as name',
  );
  return rows[0]?.name ?? '';
};

test.each([
  {
    name: 'a session',
    give: async () => {
      const { email } = await site.addOperator();
      return [await loginWith(site, email)];
    },
  },
  {
    name: 'a challenge, a session behind it and a trusted device',
    give: async () => {
      const operator = await enrolOperator(site);
      const [challenge, pending] = [
        await loginWith(site, operator.email),
        await loginWith(site, operator.email),
      ];
      const body = { code: totp(operator.secret, 1), trustDevice: true };
      const verified = await secondFactor(site, 'verify-totp', {
        token: challenge.body.token,
        body,
      });
      expect(verified.body.trustToken).toEqual(expect.any(String));
      return [challenge, pending, verified, { body: operator }];
    },
  },
  {
    name: 'a session that goes on after the second factor ended',
    give: async () => {
      const { token } = await enrolOperator(site);
      const body = { password: testPassword };
      return [await secondFactor(site, 'disable', { token, body })];
    },
  },
  {
    name: 'an invitation',
    give: async () => {
      const token = await site.signIn(site.admin.email, site.admin.password);
      const { organizationId } = site.fixture;
      const body = { organizationId, email: 'invited@test.example', role: 'viewer' };
      return [await site.call('POST', '/platform/operators/invitations', { token, body })];
    },
  },
])('no token of $name stands in the database', async ({ give }) => {
  const given = (await give()).flatMap(({ body }) => tokensOfFields(body));
  expect(given.length).toBeGreaterThan(0);
  const dump = await dumpOf(await database());
  const found = given.flatMap((token) =>
    tablesWith(dump, token).map((table) => `${table}: ${token}`),
  );
  expect(found).toEqual([]);
});
