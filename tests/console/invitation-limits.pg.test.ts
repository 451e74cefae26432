// How often people are invited.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uniqueWord } from './control-plane-fixture.js';
import { startConsole, type TestConsole } from './console-under-test.js';

let site: TestConsole;
let owner: string;
let organizationId: string;
let operatorId: string;
beforeAll(async () => {
  site = await startConsole();
  owner = await site.signIn(site.admin.email, site.admin.password);
  ({ organizationId } = site.fixture);
  const reply = await invite(address());
  operatorId = String(reply.body.invitedBy);
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

const path = '/platform/operators/invitations';
const address = () => `${uniqueWord('limit')}@test.example`;
const invite = (email: string) =>
  site.call('POST', path, { token: owner, body: { email, organizationId, role: 'viewer' } });
const sql = <T>(text: string, values: unknown[]): Promise<T[]> =>
  site.fixture.controlPlane.dataSource.query(text, values);
const invitationsOf = (email: string) =>
  sql<{ id: string }>('select id from operator_invitation where email = $1', [email]);

test('an address is invited ten times in an hour, and the last invitation stays', async () => {
  const email = address();
  for (let count = 1; count <= 9; count += 1) expect((await invite(email)).status).toBe(201);
  const last = await invite(email);
  expect(last.status).toBe(201);
  const refused = await invite(email.toUpperCase());
  expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500);
  expect(await invitationsOf(email)).toEqual([{ id: last.body.id }]);
  expect((await invite(address())).status).toBe(201);
});

test('spellings of one domain are one address', async () => {
  const name = uniqueWord('limit');
  const spellings = [
    'bücher.example',
    'BÜCHER.example',
    'xn--bcher-kva.example',
    // The letter u, and a mark that puts two dots on it.
    'bu\u0308cher.example',
    // Letters of full width, and the full stop of Chinese and Japanese.
    'bücher.ｅxample',
    'bücher。example',
  ];
  for (const domain of spellings) expect((await invite(`${name}@${domain}`)).status).toBe(201);
  for (let count = spellings.length; count < 10; count += 1) {
    expect((await invite(`${name}@bücher.exａmple`)).status).toBe(201);
  }
  for (const domain of [...spellings, 'bücher.exampｌe']) {
    expect(await invite(`${name}@${domain}`)).toMatchObject({
      status: 429,
      body: { code: 'RATE_LIMITED' },
    });
  }
  // Another name at that domain, and the same name at another one.
  expect((await invite(`${uniqueWord('limit')}@bücher.example`)).status).toBe(201);
  expect((await invite(`${name}@bucher.example`)).status).toBe(201);
});

test.each([
  { name: 'an hour is not over', secondsLeft: 60, status: 429, stored: 0 },
  { name: 'the hour is over', secondsLeft: -1, status: 201, stored: 1 },
])('after 200 invitations of an operator: $name', async ({ secondsLeft, status, stored }) => {
  const key = `invite-by:${operatorId}`;
  await sql(
    `update operator_attempt set attempts = 200, window_ends_at = now() + make_interval(secs => $2)
     where key = $1`,
    [key, secondsLeft],
  );
  const email = address();
  expect((await invite(email)).status).toBe(status);
  expect(await invitationsOf(email)).toHaveLength(stored);
});

test('a mail is tried again on demand once in a minute', async () => {
  const { body } = await invite(address());
  const id = String(body.id);
  const retry = () =>
    site.call('POST', `${path}/${id}/mail?organizationId=${organizationId}`, { token: owner });
  expect((await retry()).status).toBe(200);
  const refused = await retry();
  expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  const entries = await sql(
    `select from audit_entry where target = $1 and action = 'operator.invitation.mail'`,
    [id],
  );
  expect(entries).toHaveLength(1);
  await sql(`update operator_attempt set window_ends_at = now() where key = $1`, [
    `invite-mail:${id}`,
  ]);
  expect((await retry()).status).toBe(200);
});
