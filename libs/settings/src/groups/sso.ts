import { defineGroup } from '../define-group.js';
import { choice, flag, integer } from '../field.js';

export const sso = defineGroup('auth.sso', {
  title: 'Single sign-on',
  help: 'Employees of a company sign in with its identity provider, by OpenID Connect or SAML.',
  rebuilds: ['auth'],
  isReported: true,
  fields: {
    enabled: flag({ label: 'Enabled', default: false }),
    createUsers: flag({
      label: 'Create accounts for new users',
      help: 'Off: only existing users can sign in this way.',
      default: true,
    }),
    linkUsers: flag({
      label: 'Link existing accounts',
      help: 'The provider signs in to existing accounts with an address in its domain.',
      default: true,
    }),
    joinOrganization: flag({
      label: 'Users join the provider’s organization',
      default: true,
    }),
    defaultRole: choice({
      label: 'Role of users who join',
      of: ['member', 'admin'],
      default: 'member',
    }),
    maxProvidersPerOrganization: integer({
      label: 'Providers per organization',
      default: 5,
      range: [1, 50],
    }),
  },
});
