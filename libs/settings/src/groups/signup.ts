import { defineGroup } from '../define-group.js';
import { flag, list } from '../field.js';

export const signup = defineGroup('auth.signup', {
  title: 'Sign-up',
  help: 'Who may create an account. Accounts made by administrators are not affected.',
  rebuilds: ['auth'],
  capability: 'settings.manage',
  fields: {
    enabled: flag({ label: 'Open', help: 'Whether anyone may sign up.', default: true }),
    allowedEmailDomains: list({
      label: 'Allowed email domains',
      help: 'Only addresses of these domains may sign up; empty allows every domain.',
      format: 'domain',
      default: [],
      maxItems: 200,
      maxLength: 253,
    }),
    blockedEmailDomains: list({
      label: 'Refused email domains',
      help: 'Such as domains of disposable addresses; their subdomains are refused, too.',
      format: 'domain',
      default: [],
      maxItems: 2000,
      maxLength: 253,
    }),
  },
});
