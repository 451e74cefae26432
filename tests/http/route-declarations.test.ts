// What the hooks read from the routes of the application.
import { listRoutes } from '#apps/console/server';
import { describe, expect, test } from 'vitest';

import { startConsole } from '../console/console-under-test.js';
import { projectRoutes } from '../isolation/api-routes.js';

const routes = await projectRoutes();
const find = (method: string, path: string) =>
  routes.find((route) => route.method === method && route.path === path);

test('the routes of the auth engine are listed one by one, with what each needs', () => {
  expect(find('POST', '/api/auth/sign-in/email')).toMatchObject({
    access: { kind: 'public' },
    body: { kind: 'bytes', maxBytes: 65_536 },
    servedBy: 'engine',
    projectKey: 'needed',
    captcha: 'sign-in-password',
    area: 'auth',
  });
});

test('no route of accounts has its body read before the engine has counted the request', () => {
  const accounts = routes.filter(
    ({ method, area }) => area === 'auth' && !['GET', 'HEAD', 'OPTIONS'].includes(method),
  );
  expect(accounts.map(({ path }) => path)).toContain('/auth/login');
  expect(accounts.filter(({ body }) => body.kind !== 'bytes')).toEqual([]);
});

test('these routes answer without a project key where keys are enforced', () => {
  const keyless = routes.filter(({ projectKey }) => projectKey === 'unneeded');
  expect(
    new Set(keyless.map(({ path }) => path).filter((path) => !path.includes('/docs'))),
  ).toEqual(
    new Set([
      '/api/health-check',
      '/api/auth/jwks',
      '/api/auth/callback/:provider',
      '/api/auth/oauth2/callback/:providerId',
      '/api/auth/sso/callback/:providerId',
      '/api/auth/sso/saml2/sp/acs/:providerId',
      '/api/auth/sso/saml2/sp/metadata',
      '/api/auth/magic-link/verify',
      '/api/auth/verify-email',
      '/api/auth/reset-password/:token',
      '/api/auth/admin-link/verify',
      '/api/auth/upgrade-anonymous/confirm',
      '/api/edge/*',
      '/api/storage/:slug/files/*',
      '/api/storage/:slug/upload',
      '/storage/v1/render/image',
    ]),
  );
});

test('the settings are guarded by no CAPTCHA, and every class of the engine has a route', () => {
  const classOf = (path: string) => routes.find((route) => route.path === path)?.captcha;
  expect(classOf('/api/admin/settings/:group')).toBe('never');
  expect(new Set(routes.flatMap(({ captcha }) => captcha ?? []))).toEqual(
    new Set([
      'never',
      'sign-up',
      'sign-in-password',
      'sign-in-anonymous',
      'magic-link',
      'email-code',
      'sms-code',
      'recovery-email',
      'recovery-phone',
    ]),
  );
});

describe('routes of the API, without their second names', () => {
  const named = routes.filter(
    ({ method, path }) =>
      ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method) && !/^\/(?:admin|api\/rest)\//.test(path),
  );
  const reading = (isRead: (body: (typeof named)[number]['body']) => boolean) =>
    named
      .filter(({ body }) => isRead(body))
      .map(({ method, path }) => `${method} ${path}`)
      .toSorted();

  test('these read more than 64 KB at once: lists, long texts, and documents of identity providers', () => {
    const large = reading(
      (body) => (body.kind === 'json' || body.kind === 'bytes') && body.maxBytes > 65_536,
    );
    expect(large).toEqual([
      'DELETE /api/admin/settings/:group',
      'PATCH /api/admin/policies/tests/:id',
      'PATCH /api/admin/queries/:id',
      'PATCH /api/admin/sso/providers/:providerId',
      'POST /api/admin/functions',
      'POST /api/admin/policies/tests',
      'POST /api/admin/policies/try',
      'POST /api/admin/queries',
      'POST /api/admin/realtime/inspect',
      'POST /api/admin/realtime/send',
      'POST /api/admin/rows/:table',
      'POST /api/admin/settings/email/preview',
      'POST /api/admin/settings/email/test',
      'POST /api/admin/settings/sms/test',
      'POST /api/admin/sql',
      'POST /api/admin/sso/providers',
      'POST /api/auth/sso/register',
      'POST /api/auth/sso/saml2/sp/acs/:providerId',
      'POST /api/auth/sso/update-provider',
      'POST /api/files/remove',
      'POST /api/realtime/broadcast',
      'PUT /api/admin/functions/:slug',
      'PUT /api/admin/functions/secrets',
      'PUT /api/admin/settings/:group',
    ]);
    const longest = reading(
      (body) => (body.kind === 'json' || body.kind === 'bytes') && body.maxBytes > 1024 * 1024,
    );
    expect(longest).toEqual([
      'POST /api/admin/functions',
      'PUT /api/admin/functions/:slug',
      'PUT /api/admin/functions/secrets',
    ]);
  });

  test('rows alone are as long as the project allows, and uploads and calls of functions alone are read as they arrive', () => {
    const rows = reading((body) => body.kind === 'text');
    expect(
      rows.filter((name) => !/ \/rest\/v1\/(?:batch|rpc\/:function|:table)$/.test(name)),
    ).toEqual([]);
    expect(rows).toContain('POST /rest/v1/:table');
    const streams = reading((body) => body.kind === 'stream');
    expect(streams.filter((name) => !/ \/api\/(?:edge|files|storage)\b/.test(name))).toEqual([]);
    expect(streams).toContain('POST /api/files');
  });
});

test('routes of the console read 64 KB at most, but for what is forwarded to a project', async () => {
  const console_ = await startConsole();
  const ofConsole = listRoutes(console_.app);
  await console_[Symbol.asyncDispose]();
  const others = ofConsole.filter(({ body }) => body.kind !== 'json' || body.maxBytes > 65_536);
  expect(new Set(others.map(({ path }) => path))).toEqual(
    new Set(['/platform/projects/:ref/api/*']),
  );
  expect(ofConsole.length).toBeGreaterThan(50);
});
