import { defineGroup } from '../define-group.js';
import { flag, integer } from '../field.js';

export const emailOtp = defineGroup('auth.methods.emailOTP', {
  title: 'Email code',
  help: 'Users sign in with a code sent by email. Needs a working mail server.',
  rebuilds: ['auth'],
  isReported: true,
  sends: () => ['mail'],
  fields: {
    enabled: flag({ label: 'Enabled', default: true }),
    otpLength: integer({ label: 'Digits of a code', default: 6, range: [4, 10] }),
    expiresIn: integer({ label: 'Lifetime of a code', default: 300, range: [60, 3600], unit: 's' }),
    allowedAttempts: integer({
      label: 'Wrong guesses per code',
      help: 'After this number the code is invalid.',
      default: 3,
      range: [1, 10],
    }),
    createUsers: flag({
      label: 'Create accounts for new addresses',
      help: 'Off: only existing users receive a code.',
      default: true,
    }),
  },
});
