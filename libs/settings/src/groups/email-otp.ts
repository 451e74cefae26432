import { defineGroup } from '../define-group.js';
import { flag, integer } from '../field.js';

export const emailOtp = defineGroup('auth.methods.emailOTP', {
  title: 'E-mail code',
  help: 'Users sign in with a code that is sent to them. Needs a working mail server.',
  rebuilds: ['auth'],
  fields: {
    enabled: flag({ label: 'Enabled', default: true }),
    otpLength: integer({ label: 'Digits of a code', default: 6, range: [4, 10] }),
    expiresIn: integer({ label: 'Life of a code', default: 300, range: [60, 3600], unit: 's' }),
    allowedAttempts: integer({
      label: 'Wrong guesses per code',
      help: 'After that many the code is worth nothing.',
      default: 3,
      range: [1, 10],
    }),
    createUsers: flag({
      label: 'New addresses make an account',
      help: 'Off: only users who exist are sent a code.',
      default: true,
    }),
  },
});
