import { expect, test } from 'vitest';

import { deployment, group } from '../tests/sample-group.js';
import { getGroup } from './groups.js';
import { sourcesOf } from './sources.js';

const ofUnset = { enabled: 'default', clientId: 'default', clientSecret: 'default' };

test('an unset group takes what the environment has, and defaults for the rest', () => {
  expect(sourcesOf(group, { stored: undefined, env: deployment })).toEqual({
    google: { enabled: 'environment', clientId: 'environment', clientSecret: 'environment' },
    github: { enabled: 'default', clientId: 'environment', clientSecret: 'environment' },
    limits: { window: 'environment', max: 'default' },
    providers: 'default',
  });
});

test('an object with a secret takes nothing from the environment once it is stored', () => {
  const stored = { google: { clientId: 'own' }, limits: { max: 3 }, providers: [] };
  expect(sourcesOf(group, { stored, env: deployment })).toEqual({
    google: { ...ofUnset, clientId: 'stored' },
    github: { enabled: 'default', clientId: 'environment', clientSecret: 'environment' },
    limits: { window: 'environment', max: 'stored' },
    providers: 'stored',
  });
});

test('a group with a secret of its own takes nothing from the environment once it is stored', () => {
  const smtp = getGroup('email.smtp');
  const env = { SMTP_HOST: 'mail.example.com', SMTP_PASSWORD: 'hidden' };
  expect(sourcesOf(smtp, { stored: undefined, env })).toMatchObject({
    host: 'environment',
    password: 'environment',
  });
  expect(sourcesOf(smtp, { stored: { user: 'ada' }, env })).toMatchObject({
    host: 'default',
    user: 'stored',
    password: 'default',
  });
});

test('a stored value that is not valid counts as unset, in the environment too', () => {
  const stored = { limits: { max: 'many', window: 7 } };
  const env = { LIMIT_WINDOW: 'soon' };
  expect(sourcesOf(group, { stored, env })).toMatchObject({
    limits: { window: 'stored', max: 'default' },
  });
  expect(sourcesOf(group, { stored: {}, env })).toMatchObject({ limits: { window: 'default' } });
});
