import { defineGroup } from '../src/define-group.js';
import { choice, entries, flag, integer, list, object, secret, text } from '../src/field.js';
import type { Environment } from '../src/resolve.js';

const provider = (label: string, variable: 'GOOGLE' | 'GITHUB') =>
  object({
    label,
    fields: {
      enabled: flag({ label: 'Enabled', default: false, env: `${variable}_ENABLED` }),
      clientId: text({ label: 'Client id', maxLength: 20, env: `${variable}_ID` }),
      clientSecret: secret({ label: 'Client secret', maxLength: 20, env: `${variable}_SECRET` }),
    },
  });

/** A group with objects, two of them with a secret, and with entries. */
export const group = defineGroup('test.nested', {
  title: 'Nested',
  help: 'Objects and entries.',
  rebuilds: ['auth'],
  fields: {
    google: provider('Google', 'GOOGLE'),
    github: provider('GitHub', 'GITHUB'),
    limits: object({
      label: 'Limits',
      help: 'How often.',
      fields: {
        window: integer({ label: 'Window', default: 60, clamp: [1, 100], env: 'LIMIT_WINDOW' }),
        max: integer({ label: 'Most', default: 5, clamp: [1, 100] }),
      },
    }),
    providers: entries({
      label: 'Providers',
      key: 'providerId',
      maxItems: 3,
      fields: {
        providerId: text({ label: 'Id', format: 'id', maxLength: 64 }),
        clientId: text({ label: 'Client id', maxLength: 20 }),
        clientSecret: secret({ label: 'Client secret', maxLength: 20 }),
        scopes: list({ label: 'Scopes', default: ['openid'], maxItems: 5, maxLength: 20 }),
        mode: choice({ label: 'Mode', of: ['oidc', 'oauth'], default: 'oidc' }),
        note: text({ label: 'Note', maxLength: 100, multiline: true }),
      },
    }),
  },
  required: ({ github }) => (github.enabled ? ['github.clientId', 'providers'] : []),
  parts: ({ google, providers }) => [
    {
      name: 'google',
      enabled: google.enabled,
      missing: google.clientId === undefined ? ['google.clientId'] : [],
    },
    ...providers.map(({ providerId, clientId }, index) => ({
      name: providerId,
      enabled: true,
      missing: clientId === undefined ? [`providers[${index}].clientId`] : [],
    })),
  ],
});

/** An environment that sets up both providers. */
export const deployment: Environment = {
  GOOGLE_ENABLED: 'true',
  GOOGLE_ID: 'env-google',
  GOOGLE_SECRET: 'env-google-secret',
  GITHUB_ID: 'env-github',
  GITHUB_SECRET: 'env-github-secret',
  LIMIT_WINDOW: '30',
};
