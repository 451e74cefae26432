import { defineGroup } from '../define-group.js';
import { flag, integer } from '../field.js';

export const phoneOtp = defineGroup('auth.phoneOtp', {
  title: 'SMS code',
  help: 'Users sign in with a code sent by SMS. Needs a working SMS provider.',
  rebuilds: ['auth'],
  isReported: true,
  sends: () => ['sms'],
  fields: {
    enabled: flag({ label: 'Enabled', default: false }),
    // The specification clamps it (auth.phoneOtp).
    otpLength: integer({ label: 'Digits of a code', default: 6, clamp: [4, 10] }),
    expiresIn: integer({ label: 'Lifetime of a code', default: 300, range: [60, 3600], unit: 's' }),
    allowedAttempts: integer({
      label: 'Wrong guesses per code',
      help: 'After this number the code is invalid.',
      default: 3,
      range: [1, 10],
    }),
    signUpOnVerification: flag({
      label: 'Create accounts for new numbers',
      help: 'The first verified code of an unknown number creates a user.',
      default: true,
    }),
  },
});
