// A group for tests: every kind of field, a unit with a secret, and entries.
import type { Fields, GroupForm, LeafForm, Loaded } from './form.js';

const leaf = (
  name: string,
  kind: LeafForm['kind'],
  value: LeafForm['default'] = null,
  limits: LeafForm['limits'] = {},
): LeafForm => ({ name, kind, label: `The ${name}`, default: value, limits });

const provider: Fields = [
  leaf('enabled', 'flag', false),
  leaf('clientId', 'text'),
  leaf('clientSecret', 'secret'),
];

export const fields: Fields = [
  leaf('lifetime', 'integer', 600, { unit: 's' }),
  leaf('words', 'list', ['one']),
  {
    name: 'google',
    kind: 'object',
    label: 'Google',
    limits: {},
    fields: provider,
  },
  {
    name: 'providers',
    kind: 'entries',
    label: 'Providers',
    key: 'id',
    limits: {},
    fields: [leaf('id', 'text'), ...provider],
  },
];

export const group: GroupForm = {
  name: 'test.sample',
  title: 'Sample',
  help: 'For tests.',
  capability: 'secrets.manage',
  fields,
};

const unset = { enabled: false, clientId: null, clientSecret: null };

/** Nothing is stored; the environment has a provider. */
export const untouched: Loaded = {
  values: {
    lifetime: 600,
    words: ['one'],
    google: { ...unset, enabled: true, clientId: 'from-env' },
    providers: [],
  },
  sources: {
    lifetime: 'default',
    words: 'default',
    google: { enabled: 'environment', clientId: 'environment', clientSecret: 'environment' },
    providers: 'default',
  },
  unstored: {
    lifetime: 600,
    words: ['one'],
    google: { ...unset, enabled: true, clientId: 'from-env' },
    providers: [],
  },
};

/** A lifetime, a provider and an entry are stored. */
export const stored: Loaded = {
  values: {
    lifetime: 900,
    words: ['one'],
    google: { enabled: true, clientId: 'own', clientSecret: '__SECRET_SET__' },
    providers: [{ id: 'acme', ...unset, clientSecret: '__SECRET_SET__' }],
  },
  sources: {
    lifetime: 'stored',
    words: 'default',
    google: { enabled: 'stored', clientId: 'stored', clientSecret: 'stored' },
    providers: 'stored',
  },
  unstored: untouched.unstored,
};
