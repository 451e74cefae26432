import { defineGroup } from '../define-group.js';
import { flag, integer } from '../field.js';

export const emailPassword = defineGroup('auth.methods.emailPassword', {
  title: 'E-mail and password',
  help: 'Users sign up and sign in with an e-mail address and a password.',
  rebuilds: ['auth'],
  fields: {
    enabled: flag({ label: 'Enabled', default: true }),
    minPasswordLength: integer({
      label: 'Shortest password',
      help: 'In characters. Passwords that exist already stay valid.',
      default: 8,
      clamp: [6, 128],
    }),
    maxPasswordLength: integer({
      label: 'Longest password',
      help: 'In characters.',
      default: 128,
      clamp: [32, 256],
    }),
  },
  conflict: ({ minPasswordLength, maxPasswordLength }) =>
    minPasswordLength > maxPasswordLength
      ? { field: 'minPasswordLength', reason: 'must not be greater than maxPasswordLength' }
      : undefined,
});
