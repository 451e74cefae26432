import { defineGroup } from '../define-group.js';
import { choice, flag, integer } from '../field.js';

export const sso = defineGroup('auth.sso', {
  title: 'Single sign-on',
  help: 'People of a company sign in at its identity provider, by OpenID Connect or SAML.',
  rebuilds: ['auth'],
  fields: {
    enabled: flag({ label: 'Enabled', default: false }),
    createUsers: flag({
      label: 'New people make an account',
      help: 'Off: only users who exist may sign in this way.',
      default: true,
    }),
    linkUsers: flag({
      label: 'Existing accounts are taken over',
      help: 'An account with an address of the provider’s domain is signed in by it.',
      default: true,
    }),
    joinOrganization: flag({
      label: 'People join the provider’s organization',
      default: true,
    }),
    defaultRole: choice({
      label: 'Role of those who join',
      of: ['member', 'admin'],
      default: 'member',
    }),
    maxProvidersPerOrganization: integer({
      label: 'Providers of an organization',
      default: 5,
      range: [1, 50],
    }),
  },
});
