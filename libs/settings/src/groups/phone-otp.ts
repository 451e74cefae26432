import { defineGroup } from '../define-group.js';
import { flag, integer } from '../field.js';

export const phoneOtp = defineGroup('auth.phoneOtp', {
  title: 'SMS code',
  help: 'Users sign in with a code that is sent to their phone. Needs a working SMS provider.',
  rebuilds: ['auth'],
  fields: {
    enabled: flag({ label: 'Enabled', default: false }),
    // The specification clamps it (auth.phoneOtp).
    otpLength: integer({ label: 'Digits of a code', default: 6, clamp: [4, 10] }),
    expiresIn: integer({ label: 'Life of a code', default: 300, range: [60, 3600], unit: 's' }),
    allowedAttempts: integer({
      label: 'Wrong guesses per code',
      help: 'After that many the code is worth nothing.',
      default: 3,
      range: [1, 10],
    }),
    signUpOnVerification: flag({
      label: 'New numbers make an account',
      help: 'The first verified code of a number that nobody has creates a user.',
      default: true,
    }),
  },
});
