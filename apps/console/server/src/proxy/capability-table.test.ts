import { expect, test } from '@jest/globals';
import { canonicalPath } from './canonical-path.js';
import { capabilityFor } from './capability-table.js';

test.each([
  ['GET', '/rest/v1/notes', 'content.read'],
  ['HEAD', '/rest/v1/notes', 'content.read'],
  ['POST', '/rest/v1/notes', 'content.write'],
  ['PATCH', '/rest/v1/notes', 'content.write'],
  ['DELETE', '/rest/v1/notes', 'content.write'],
  ['POST', '/rest/v1/batch', 'content.write'],
  ['GET', '/admin/auth/status', 'content.read'],
  ['GET', '/admin/session', 'content.read'],
  ['GET', '/admin/settings/email.smtp', 'settings.manage'],
  ['PUT', '/admin/settings/security.keys', 'settings.manage'],
  ['DELETE', '/admin/settings/auth.urls', 'settings.manage'],
  ['POST', '/admin/settings/email/test', 'settings.manage'],
  ['GET', '/admin/users', 'secrets.manage'],
  ['GET', '/admin/users/', 'secrets.manage'],
  ['GET', '/admin/users/42', 'secrets.manage'],
  ['POST', '/admin/users', 'secrets.manage'],
  ['POST', '/admin/users/42/promote', 'secrets.manage'],
  ['POST', '/admin/users/42/reset-password', 'secrets.manage'],
  ['DELETE', '/admin/users/42/sessions/7', 'secrets.manage'],
  ['GET', '/ADMIN/Users', 'secrets.manage'],
  ['GET', '/%61dmin/%75sers', 'secrets.manage'],
  ['GET', '/admin/storage/buckets/pictures', 'content.read'],
  ['PATCH', '/admin/storage/buckets/pictures', 'content.write'],
  ['POST', '/admin/storage/buckets/pictures/tokens', 'secrets.manage'],
  ['GET', '/admin/storage/buckets/pictures/tokens', 'secrets.manage'],
  ['DELETE', '/admin/storage/buckets/pictures/tokens/3', 'secrets.manage'],
  ['GET', '/admin/api-keys', 'secrets.manage'],
  ['GET', '/admin/functions/hello/secrets', 'secrets.manage'],
  ['POST', '/admin/import/run', 'imports.run'],
  ['GET', '/admin/import/preview', 'imports.run'],
  ['POST', '/admin/sql', 'content.write'],
  ['POST', '/admin/something-new', 'content.write'],
  ['GET', '/auth/get-session', 'secrets.manage'],
  ['POST', '/auth/sign-up/email', 'secrets.manage'],
  ['OPTIONS', '/rest/v1/notes', 'content.read'],
  ['GET', '/files/my-keys.txt', 'content.read'],
])('%s %s needs %s', (method, path, capability) => {
  const { segments } = canonicalPath(`/platform/projects/shop/api${path}`);
  expect(capabilityFor(method, segments)).toBe(capability);
});
