import { defineGroup } from '../define-group.js';
import { flag, integer } from '../field.js';

const required = (what: string) =>
  flag({
    label: `A password needs ${what}`,
    help: 'Existing passwords stay valid.',
    default: false,
  });

export const emailPassword = defineGroup('auth.methods.emailPassword', {
  title: 'Email and password',
  help: 'Users sign up and sign in with an email address and a password.',
  rebuilds: ['auth'],
  isReported: true,
  sends: ({ requireEmailVerification }) => (requireEmailVerification ? ['mail'] : []),
  fields: {
    enabled: flag({ label: 'Enabled', default: true }),
    minPasswordLength: integer({
      label: 'Shortest password',
      help: 'In characters. Existing passwords stay valid.',
      default: 8,
      range: [6, 128],
    }),
    maxPasswordLength: integer({
      label: 'Longest password',
      help: 'In characters.',
      default: 128,
      range: [32, 256],
    }),
    requireLowercase: required('a lower-case letter'),
    requireUppercase: required('an upper-case letter'),
    requireDigit: required('a digit'),
    requireSymbol: required('a character that is neither letter nor digit'),
    requireEmailVerification: flag({
      label: 'Require a verified address',
      help: 'After sign-up there is no session until the link in the mail was opened. Needs a working mail server.',
      default: false,
    }),
    verificationExpiresIn: integer({
      label: 'Lifetime of a verification link',
      default: 86_400,
      range: [300, 604_800],
      unit: 's',
    }),
    resetExpiresIn: integer({
      label: 'Lifetime of a reset code or link',
      default: 900,
      range: [60, 86_400],
      unit: 's',
    }),
  },
  conflict: ({ minPasswordLength, maxPasswordLength }) =>
    minPasswordLength > maxPasswordLength
      ? { field: 'minPasswordLength', reason: 'must not be greater than maxPasswordLength' }
      : undefined,
});
