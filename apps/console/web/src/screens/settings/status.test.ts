import { describe, expect, test } from 'vitest';

import type { FieldForm, GroupForm } from './form.js';
import { sectionsOf, stateNames } from './status.js';

const field = (name: string): FieldForm => ({
  name,
  kind: 'text',
  label: name,
  default: null,
  limits: {},
});
const group = (name: string, fields: readonly FieldForm[] = [field('enabled')]): GroupForm => ({
  name,
  title: name,
  help: '',
  capability: 'settings.manage',
  fields,
});
const providers: FieldForm = {
  kind: 'entries',
  name: 'providers',
  label: 'Providers',
  key: 'id',
  limits: {},
  fields: [],
};
const groups = [
  group('email.smtp', [field('host')]),
  group('auth.methods.emailPassword'),
  group('auth.social', [field('google'), field('github')]),
  group('auth.oauth.custom', [providers]),
  group('auth.twoFactor'),
  group('auth.attackProtection', [field('captchaEnabled')]),
];
const status = (part: object = {}) => ({
  title: '',
  enabled: true,
  configured: true,
  missing: [],
  callbackUrl: null,
  ...part,
});
const unset = { configured: false, missing: ['host'] };

/** The names of the entries with their states, by their headings. */
const shown = (statuses: Parameters<typeof sectionsOf>[0], of: readonly GroupForm[] = groups) =>
  Object.fromEntries(
    sectionsOf(statuses, of).map(({ title, cards }) => [
      title,
      cards.map(({ name, state }) => `${name}: ${stateNames[state]}`),
    ]),
  );

describe('the overview of the settings', () => {
  test('has the ways to sign in first, whatever the order of the report', () => {
    const statuses = {
      'email.smtp': status(),
      'auth.twoFactor': status(),
      'auth.methods.emailPassword': status(),
    };
    expect(sectionsOf(statuses, groups).map(({ title }) => title)).toEqual([
      'Ways to sign in',
      'Mail and SMS',
      'For accounts',
    ]);
  });

  test.each([
    {
      name: 'a mail server without values is not set up',
      statuses: { 'email.smtp': status(unset) },
      expected: { 'Mail and SMS': ['email.smtp: Not set up'] },
    },
    {
      name: 'a mail server with its values is on',
      statuses: { 'email.smtp': status() },
      expected: { 'Mail and SMS': ['email.smtp: On'] },
    },
    {
      name: 'what is off is off, whatever it lacks',
      statuses: { 'auth.twoFactor': status({ ...unset, enabled: false }) },
      expected: { 'For accounts': ['auth.twoFactor: Off'] },
    },
    {
      name: 'what is on and lacks a value is not set up',
      statuses: { 'auth.methods.emailPassword': status(unset) },
      expected: { 'Ways to sign in': ['auth.methods.emailPassword: Not set up'] },
    },
    {
      name: 'a list without providers is off',
      statuses: { 'auth.oauth.custom': status() },
      expected: { 'Ways to sign in': ['auth.oauth.custom: Off'] },
    },
    {
      name: 'a provider of a list is shown in place of the list',
      statuses: { 'auth.oauth.custom': status(), 'auth.oauth.custom.acme': status() },
      expected: { 'Ways to sign in': ['auth.oauth.custom.acme: On'] },
    },
    {
      name: 'providers are shown in place of their group',
      statuses: {
        'auth.social': status(),
        'auth.social.google': status(),
        'auth.social.github': status({ enabled: false }),
      },
      expected: { 'Ways to sign in': ['auth.social.google: On', 'auth.social.github: Off'] },
    },
    {
      name: 'a protection that lacks nothing is neither on nor off',
      statuses: { 'auth.attackProtection': status() },
      expected: {},
    },
    {
      name: 'a protection that lacks a value is not set up',
      statuses: { 'auth.attackProtection': status(unset) },
      expected: { 'For accounts': ['auth.attackProtection: Not set up'] },
    },
    { name: 'what has no group is not shown', statuses: { jwt: status() }, expected: {} },
  ])('$name', ({ statuses, expected }) => {
    expect(shown(statuses)).toEqual(expected);
  });

  test('groups that the operator may not use are not shown', () => {
    expect(shown({ 'email.smtp': status() }, [])).toEqual({});
  });
});
