import { declaredRoutes } from '#apps/api';
import { expect, test } from 'vitest';
import { canonicalPath } from '../../apps/console/server/src/proxy/canonical-path.js';
import {
  type ForwardedMethod,
  requestFinder,
} from '../../apps/console/server/src/proxy/project-routes.js';

const find = requestFinder(declaredRoutes());

test.each<[ForwardedMethod, string, string]>([
  ['GET', '/admin/auth/status', 'settings.manage'],
  ['GET', '/admin/auth/keys', 'secrets.manage'],
  ['GET', '/admin/auth/origins', 'secrets.manage'],
  ['POST', '/admin/auth/keys/rotate', 'secrets.manage'],
  ['GET', '/admin/hooks/deliveries', 'secrets.manage'],
  ['POST', '/admin/hooks/deliveries/7/retry', 'secrets.manage'],
  ['GET', '/admin/sso/providers', 'secrets.manage'],
  ['POST', '/admin/sso/providers', 'secrets.manage'],
  ['GET', '/admin/audit', 'audit.read'],
  ['HEAD', '/admin/audit', 'audit.read'],
  ['GET', '/admin/audit/', 'audit.read'],
  ['GET', '/admin/session', 'content.read'],
  ['GET', '/admin/settings', 'settings.manage'],
  ['GET', '/admin/settings/', 'settings.manage'],
  ['GET', '/admin/settings/email.smtp', 'secrets.manage'],
  ['GET', '/admin/settings/email.smtp/', 'secrets.manage'],
  ['GET', '/admin/settings/email.smtp?x=1', 'secrets.manage'],
  ['PUT', '/admin/settings/AUTH.HOOKS', 'secrets.manage'],
  ['PUT', '/admin/settings/auth%2Ehooks', 'secrets.manage'],
  ['PUT', '/admin/settings/auth.signup', 'settings.manage'],
  ['PUT', '/admin/settings/auth.unknown', 'secrets.manage'],
  ['GET', '/admin/settings/email/templates', 'secrets.manage'],
  ['POST', '/admin/settings/email/preview', 'secrets.manage'],
  ['PUT', '/admin/settings/security.keys', 'settings.manage'],
  ['DELETE', '/admin/settings/auth.urls', 'secrets.manage'],
  ['DELETE', '/admin/settings/auth.sessions', 'secrets.manage'],
  ['POST', '/admin/settings/email/test', 'secrets.manage'],
  ['POST', '/admin/settings/sms/test', 'secrets.manage'],
  ['GET', '/admin/users', 'secrets.manage'],
  ['GET', '/admin/users/', 'secrets.manage'],
  ['GET', '/admin/users/42', 'secrets.manage'],
  ['POST', '/admin/users', 'secrets.manage'],
  ['POST', '/admin/users/42/promote', 'secrets.manage'],
  ['POST', '/admin/users/42/reset-password', 'secrets.manage'],
  ['DELETE', '/admin/users/42/sessions/7', 'secrets.manage'],
  ['GET', '/ADMIN/Users', 'secrets.manage'],
  ['GET', '/%61dmin/%75sers', 'secrets.manage'],
  ['GET', '/admin/messages', 'secrets.manage'],
  ['GET', '/admin/realtime/refusals', 'settings.manage'],
  ['PUT', '/admin/realtime/tables/notes', 'settings.manage'],
  ['POST', '/admin/realtime/inspect', 'secrets.manage'],
  ['POST', '/admin/realtime/send', 'secrets.manage'],
  ['POST', '/admin/messages/42/retry', 'secrets.manage'],
  ['GET', '/admin/inbox', 'secrets.manage'],
  ['GET', '/admin/inbox/42', 'secrets.manage'],
  ['DELETE', '/admin/inbox', 'secrets.manage'],
  ['GET', '/admin/storage/buckets', 'content.read'],
  ['GET', '/admin/storage/buckets/pictures', 'content.read'],
  ['PATCH', '/admin/storage/buckets/pictures', 'content.write'],
  ['POST', '/admin/storage/buckets/pictures/tokens', 'secrets.manage'],
  ['GET', '/admin/storage/buckets/pictures/tokens', 'secrets.manage'],
  ['DELETE', '/admin/storage/buckets/pictures/tokens/3', 'secrets.manage'],
  ['GET', '/admin/storage/buckets/pictures/tokens/', 'secrets.manage'],
  ['GET', '/ADMIN/storage/buckets/pictures/%74okens', 'secrets.manage'],
  ['POST', '/admin/storage/buckets/pictures/webhooks', 'secrets.manage'],
  ['POST', '/admin/storage/buckets/pictures/webhooks/3/rotate-secret', 'secrets.manage'],
  ['GET', '/admin/storage/buckets/pictures/cors', 'content.read'],
  ['PUT', '/admin/storage/buckets/pictures/cors', 'content.write'],
  ['GET', '/admin/storage/buckets/public-keys', 'content.read'],
  ['DELETE', '/admin/storage/buckets/tokens', 'content.write'],
  ['GET', '/admin/storage/buckets/tokens/files', 'content.read'],
  ['GET', '/admin/storage/buckets/tokens/tokens', 'secrets.manage'],
  ['GET', '/admin/storage/relocation', 'content.read'],
  ['GET', '/storage/pictures/files/my-keys.txt', 'content.read'],
  ['HEAD', '/storage/pictures/files/my-keys.txt', 'content.read'],
  ['POST', '/storage/pictures/upload', 'content.write'],
  ['OPTIONS', '/storage/pictures/upload', 'content.read'],
  ['GET', '/files/42/image', 'content.read'],
  ['POST', '/files/resumable', 'content.write'],
  ['HEAD', '/files/resumable/42', 'content.read'],
  ['PATCH', '/files/resumable/42', 'content.write'],
  ['POST', '/admin/sql', 'content.write'],
  ['GET', '/rest/v1/notes', 'content.read'],
  ['PATCH', '/rest/v1/notes', 'content.write'],
  ['POST', '/rest/v1/batch', 'content.write'],
  ['GET', '/admin/schema', 'content.read'],
  ['POST', '/admin/rows/notes', 'content.write'],
  ['POST', '/admin/users/42/impersonate', 'secrets.manage'],
  ['GET', '/auth/get-session', 'secrets.manage'],
  ['POST', '/auth/sign-up/email', 'secrets.manage'],
  // Of a newer API, or of none.
  ['GET', '/admin/something-new', 'secrets.manage'],
  ['DELETE', '/admin/audit', 'secrets.manage'],
])('%s %s needs %s', (method, path, capability) => {
  const { target } = canonicalPath(`/platform/projects/shop/api${path}`);
  expect(find(method, target).capability).toBe(capability);
});

test.each<[ForwardedMethod, string, string | undefined]>([
  ['PUT', '/api/admin/settings/auth.signup', 'auth.signup'],
  ['PUT', '/api/admin/settings/auth.signup/', 'auth.signup'],
  ['POST', '/api/admin/settings/auth.signup/history/7/restore', 'auth.signup'],
  ['POST', '/api/admin/settings/auth%2Esignup/history/7/restore?x=1', 'auth.signup'],
  ['POST', '/api/admin/settings/email/preview', undefined],
  ['PUT', '/api/admin/users/1', undefined],
])('%s %s is on the settings group %s', (method, target, group) => {
  expect(find(method, target).settingsGroup).toBe(group);
});

test('only the inspector may say that a request continues an earlier one', () => {
  const found = declaredRoutes().filter(({ mayContinue }) => mayContinue);
  expect(found.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/admin/realtime/inspect',
    'POST /admin/realtime/inspect',
  ]);
});
