// The address of a visitor, as a server that calls for its visitors names it with the secret key.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { asRecord, Deployment } from '../support/deployment.js';
import { type ProjectUnderTest, userPassword } from '../support/project.js';
import { rowsOf } from './administration.js';

let deployment: Deployment;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  for (const email of ['a@example.org', 'b@example.org', 'c@example.org', 'd@example.org']) {
    await project.signUp(email);
  }
  const path = '/api/admin/settings/auth.rateLimits';
  const body = { signIn: { perAddress: 2, perIdentifier: 50, windowSeconds: 3600 } };
  await project.asService({ method: 'PUT', path, body });
});
afterAll(() => deployment.close());

const signIn = (email: string, headers: Readonly<Record<string, string>>) =>
  project.send({
    method: 'POST',
    path: '/api/auth/sign-in/email',
    headers,
    body: { email, password: userPassword },
  });
const asVisitor = (address: string) => ({
  apikey: project.secretKey,
  'x-service-client-ip': address,
});

describe('with the secret key', () => {
  test('each visitor of one server has limits of its own', async () => {
    const statuses: number[] = [];
    for (const address of ['198.51.100.1', '198.51.100.2', '2001:db8::1', '2001:db8:1::1']) {
      for (const email of ['a@example.org', 'b@example.org']) {
        statuses.push((await signIn(email, asVisitor(address))).status);
      }
    }
    expect(statuses).toEqual(Array(8).fill(200));
    expect((await signIn('c@example.org', asVisitor('198.51.100.1'))).status).toBe(429);
    // The first 64 bits are one visitor.
    expect((await signIn('c@example.org', asVisitor('2001:db8::2'))).status).toBe(429);
    expect((await signIn('c@example.org', asVisitor('198.51.100.3'))).status).toBe(200);
  });

  test('the session has the address of the visitor', async () => {
    const reply = await signIn('d@example.org', asVisitor('198.51.100.77'));
    const [row] = await rowsOf(
      project,
      'select "ipAddress" from auth.session where "userId" = $1 order by "createdAt" desc limit 1',
      [asRecord(asRecord(reply.body)['user'])['id']],
    );
    expect(row).toEqual({ ipAddress: '198.51.100.77' });
  });

  test.each(['', 'visitor', '198.51.100.300', '198.51.100.1, 198.51.100.2', '1.2.3.4:80'])(
    'what is no address is refused: "%s"',
    async (address) => {
      const reply = await signIn('d@example.org', asVisitor(address));
      expect(reply.body).toMatchObject({ status: 400, code: 'INVALID_INPUT' });
      expect(asRecord(reply.body)['message']).toContain('x-service-client-ip');
    },
  );
});

test.each([
  { name: 'nothing', headers: () => ({}) },
  { name: 'the publishable key', headers: () => ({ apikey: project.publishableKey }) },
])('with $name the header is refused and signs nobody in', async ({ headers }) => {
  const address = { 'x-service-client-ip': '198.51.100.9' };
  const listSessions = () => rowsOf(project, 'select id from auth.session order by id');
  const before = await listSessions();
  const reply = await signIn('d@example.org', { ...headers(), ...address });
  expect(reply.body).toMatchObject({ status: 403, code: 'CLIENT_ADDRESS_REFUSED' });
  expect(reply.headers).not.toHaveProperty('set-cookie');
  expect(await listSessions()).toEqual(before);
});

test('no other header of a client names an address, with the secret key or without', async () => {
  const names = ['x-forwarded-for', 'x-real-ip', 'x-internal-ip', 'forwarded', 'cf-connecting-ip'];
  const statuses: number[] = [];
  for (const [index, name] of names.entries()) {
    const headers = { [name]: `198.51.100.${100 + index}`, apikey: project.secretKey };
    statuses.push((await signIn('d@example.org', headers)).status);
  }
  expect(statuses).toEqual([200, 200, 429, 429, 429]);
});
