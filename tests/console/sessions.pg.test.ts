import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startConsole, type TestConsole, type TestOperator } from './console-under-test.js';

let site: TestConsole;
beforeAll(async () => {
  site = await startConsole();
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

const get = (path: string, token: string) => site.call('GET', path, { token });
const isOpen = async (token: string) => (await get('/admin/session', token)).status === 200;
const signedIn = async (): Promise<TestOperator & { readonly token: string }> => {
  const operator = await site.addOperator();
  return { ...operator, token: await site.signIn(operator.email, operator.password) };
};
const sql = (text: string, values: unknown[]): Promise<unknown> =>
  site.fixture.controlPlane.dataSource.query(text, values);

describe('the current session', () => {
  test.each(['/auth/get-session', '/admin/session'])('%s shows operator and end', async (path) => {
    const { id, email, token } = await signedIn();
    const { status, body, text } = await get(path, token);
    expect(status).toBe(200);
    expect(body).toEqual({
      operator: {
        id,
        email,
        name: email,
        isDeploymentAdmin: false,
        twoFactorEnabled: false,
        mustChangePassword: false,
      },
      session: { id: expect.any(String), expiresAt: expect.any(String) },
    });
    const days = (Date.parse(body.session.expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(7);
    expect(text).not.toContain(token);
  });

  test.each([
    {
      name: 'the operator is disabled',
      change: `update operator set status = 'disabled' where id = $1`,
    },
    {
      name: 'it expires',
      change: 'update operator_session set expires_at = now() where operator_id = $1',
    },
    {
      name: 'it was unused for a day',
      change: `update operator_session set last_seen_at = now() - interval '24 hours'
               where operator_id = $1`,
    },
    { name: 'the operator is deleted', change: 'delete from operator where id = $1' },
  ])('ends when $name', async ({ change }) => {
    const { id, token } = await signedIn();
    expect(await isOpen(token)).toBe(true);
    await sql(change, [id]);
    expect(await isOpen(token)).toBe(false);
  });

  test('shows rights as they are now, not as they were at login', async () => {
    const { id, token } = await signedIn();
    expect((await get('/platform/operators', token)).status).toBe(403);
    await sql('update operator set is_deployment_admin = true where id = $1', [id]);
    expect((await get('/platform/operators', token)).status).toBe(200);
    await sql('update operator set is_deployment_admin = false where id = $1', [id]);
    expect((await get('/platform/operators', token)).status).toBe(403);
  });

  test('remembers when it was used', async () => {
    const { id, token } = await signedIn();
    const hourAgo = `update operator_session set last_seen_at = now() - interval '1 hour'
                     where operator_id = $1`;
    await sql(hourAgo, [id]);
    const { body } = await get('/platform/sessions', token);
    expect(Date.now() - Date.parse(body[0].lastSeenAt)).toBeLessThan(60_000);
  });

  test('ends with sign-out, and no other does', async () => {
    const { email, password, token } = await signedIn();
    const other = await site.signIn(email, password);
    expect((await site.call('POST', '/auth/sign-out', { token })).status).toBe(204);
    expect(await isOpen(token)).toBe(false);
    expect(await isOpen(other)).toBe(true);
  });
});

describe('the list of sessions', () => {
  test('has the own ones with their origin, and no token', async () => {
    const { email, password, token } = await signedIn();
    await signedIn();
    const reply = await site.call('POST', '/platform/login', {
      body: { email, password },
      headers: { 'x-forwarded-for': '192.0.2.44', 'user-agent': 'a browser' },
    });
    const { body, text } = await get('/platform/sessions', token);
    expect(body).toHaveLength(2);
    expect(body).toContainEqual({
      id: expect.any(String),
      ip: '192.0.2.44',
      userAgent: 'a browser',
      createdAt: expect.any(String),
      lastSeenAt: expect.any(String),
      expiresAt: expect.any(String),
      isCurrent: false,
    });
    expect(body.filter((session: { isCurrent: boolean }) => session.isCurrent)).toHaveLength(1);
    expect(text).not.toContain(token);
    expect(text).not.toContain(reply.body.token);
  });

  test('lets the operator end one, and nobody else', async () => {
    const { email, password, token } = await signedIn();
    const other = await site.signIn(email, password);
    const { body } = await get('/platform/sessions', token);
    const { id } = body.find((session: { isCurrent: boolean }) => !session.isCurrent);
    const stranger = await signedIn();
    const path = `/platform/sessions/${id}`;
    const foreign = await site.call('DELETE', path, { token: stranger.token });
    expect(foreign).toMatchObject({ status: 404, body: { code: 'SESSION_NOT_FOUND' } });
    expect(await isOpen(other)).toBe(true);
    expect((await site.call('DELETE', path, { token })).status).toBe(204);
    expect(await isOpen(other)).toBe(false);
    expect(await isOpen(token)).toBe(true);
  });
});
