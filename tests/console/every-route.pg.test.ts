// Walks every route that the console has, also those that are added later.
import { listRoutes, type ConsoleRoute } from '#apps/console/server';
import { createProject } from '#libs/control-plane';
import { consolePages } from '#libs/web';
import { CAPABILITIES, type Capability } from '#libs/wire';
import { afterAll, describe, expect, test } from 'vitest';
import { uniqueWord } from './control-plane-fixture.js';
import { startConsole } from './console-under-test.js';

// The routes are the rows of the tables below, so the console starts before the tests are named.
const site = await startConsole();
const { fixture } = site;
const { dataSource } = fixture.controlPlane;
const { organizationId } = fixture;
const ref = uniqueWord('walk');
await createProject(fixture.context, fixture.actor, { name: 'Walk', ref, organizationId });
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

/** Routes that take any method also take those of WebDAV; the server makes those of HEAD itself. */
const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const served = listRoutes(site.app).filter(({ method }) => methods.has(method));
const routes = served.map((route) => ({
  ...route,
  name: `${route.method} ${route.path}`,
}));
const closed = routes.filter(({ access }) => access.kind !== 'public');
const open = new Set([
  'GET /',
  ...consolePages.map((path) => `GET /${path}`),
  'GET /assets/:name',
  'GET /livez',
  'GET /readyz',
  'GET /client.tgz',
  'GET /client.js',
  'GET /client-channels.js',
  'POST /platform/login',
  'POST /platform/operators/invitations/accept',
  'POST /auth/two-factor/verify-totp',
  'POST /auth/two-factor/verify-backup-code',
]);

const call = ({ method, path }: ConsoleRoute, token?: string) => {
  const filled = path
    .replace(':ref', ref)
    .replace(':organizationId', organizationId)
    .replace('*', 'health-check')
    .replace(/:\w+/g, 'unknown');
  const isBodyless = method === 'GET';
  return site.call(method, `${filled}?organizationId=${organizationId}`, {
    token,
    ...(!isBodyless && { body: { organizationId } }),
  });
};

/** The token of an operator who has these capabilities on the organization, or no membership. */
async function tokenWith(capabilities?: readonly Capability[], change = ''): Promise<string> {
  const { id, email, password } = await site.addOperator();
  const token = await site.signIn(email, password);
  if (capabilities) {
    await dataSource.query(
      `insert into membership (id, operator_id, organization_id, role, capabilities)
       values ($1, $1, $2, 'custom', $3)`,
      [id, organizationId, capabilities],
    );
  }
  if (change !== '') await dataSource.query(`update operator set ${change} where id = $1`, [id]);
  return token;
}

const tokens = {
  all: await tokenWith(CAPABILITIES),
  stranger: await tokenWith(),
  mustChange: await tokenWith(CAPABILITIES, 'must_change_password = true'),
  disabled: await tokenWith(CAPABILITIES, `status = 'disabled'`),
  without: Object.fromEntries(
    await Promise.all(
      CAPABILITIES.map(
        async (left) =>
          [
            left,
            await tokenWith(CAPABILITIES.filter((capability) => capability !== left)),
          ] as const,
      ),
    ),
  ),
};

test('the routes that are open to everybody are these', () => {
  const found = routes.filter(({ access }) => access.kind === 'public').map(({ name }) => name);
  expect(new Set(found)).toEqual(open);
});

test('there are closed routes of every kind', () => {
  const kinds = new Set(closed.map(({ access }) => access.kind));
  expect(kinds).toEqual(new Set(['session', 'operator', 'deployment-admin', 'capability']));
});

describe.each(closed)('$name', (route) => {
  test.each([
    { name: 'nobody', token: undefined },
    { name: 'an unknown token', token: 'x'.repeat(32) },
    { name: 'a disabled operator', token: tokens.disabled },
  ])('is closed to $name', async ({ token }) => {
    expect(await call(route, token)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } });
  });

  test('takes no credential from a cookie', async () => {
    const cookie = `better-auth.session_token=${tokens.all}; token=${tokens.all}`;
    const reply = await site.call(route.method === 'ALL' ? 'GET' : route.method, route.path, {
      headers: { cookie },
    });
    expect(reply.status).toBe(401);
  });
});

describe('while the password must be changed', () => {
  test.each(closed.filter(({ access }) => access.kind !== 'session'))(
    '$name is closed',
    async (route) => {
      const reply = await call(route, tokens.mustChange);
      expect(reply).toMatchObject({ status: 403, body: { code: 'PASSWORD_CHANGE_REQUIRED' } });
    },
  );

  test('what stays open is to look at the session, to change the password and to leave', () => {
    const left = closed.filter(({ access }) => access.kind === 'session').map(({ name }) => name);
    expect(new Set(left)).toEqual(
      new Set([
        'GET /auth/get-session',
        'GET /admin/session',
        'POST /platform/password',
        'POST /auth/sign-out',
      ]),
    );
  });
});

describe('for administrators of the deployment only', () => {
  test.each(closed.filter(({ access }) => access.kind === 'deployment-admin'))(
    '$name',
    async (route) => {
      const reply = await call(route, tokens.all);
      expect(reply).toMatchObject({ status: 403, body: { code: 'DEPLOYMENT_ADMIN_REQUIRED' } });
    },
  );
});

describe('by capability', () => {
  const byCapability = closed.flatMap((route) =>
    route.access.kind === 'capability' ? [{ ...route, access: route.access }] : [],
  );

  test.each(byCapability)('$name is 403 without $access.capability', async (route) => {
    const { capability } = route.access;
    const reply = await call(route, tokens.without[capability]);
    expect(reply).toMatchObject({ status: 403, body: { code: 'CAPABILITY_REQUIRED' } });
    expect(reply.body.message).toContain(capability);
  });

  test.each(byCapability)('$name is 404 without a membership', async (route) => {
    const reply = await call(route, tokens.stranger);
    const code = route.access.scope === 'project' ? 'PROJECT_NOT_FOUND' : 'ORGANIZATION_NOT_FOUND';
    expect(reply).toMatchObject({ status: 404, body: { code } });
  });

  test('nothing was changed by all of this', async () => {
    const [project]: { status: string; name: string }[] = await dataSource.query(
      'select status, name from project where ref = $1',
      [ref],
    );
    expect(project).toEqual({ status: 'active', name: 'Walk' });
  });
});
