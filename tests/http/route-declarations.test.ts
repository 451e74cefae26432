// What the hooks read from the routes of the application.
import { expect, test } from 'vitest';

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
