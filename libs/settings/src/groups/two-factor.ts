import { defineGroup } from '../define-group.js';
import { flag, integer, text } from '../field.js';

export const twoFactor = defineGroup('auth.twoFactor', {
  title: 'Second factor',
  help: 'Users protect their account with codes from an app, backup codes, and codes by mail or SMS.',
  rebuilds: ['auth'],
  isReported: true,
  sends: ({ emailCodes, smsCodes }) => [
    ...(emailCodes ? (['mail'] as const) : []),
    ...(smsCodes ? (['sms'] as const) : []),
  ],
  fields: {
    enabled: flag({ label: 'Enabled', default: false }),
    issuer: text({
      label: 'Issuer',
      help: 'The name in the app that shows codes. Empty: the host name of the project.',
      maxLength: 100,
    }),
    emailCodes: flag({
      label: 'Codes by mail',
      help: 'Users with a second factor can receive a code instead of reading it from their app.',
      default: false,
    }),
    smsCodes: flag({
      label: 'Codes by SMS',
      help: 'To the verified number of the user. Needs a working SMS provider.',
      default: false,
    }),
    codeExpiresIn: integer({
      label: 'Lifetime of a sent code',
      default: 300,
      range: [60, 3600],
      unit: 's',
    }),
    backupCodes: integer({ label: 'Backup codes', default: 10, range: [5, 20] }),
    trustDeviceDays: integer({
      label: 'Trust a device for',
      help: 'In days; 0 offers no trusted devices.',
      default: 30,
      range: [0, 365],
    }),
    stepUpAttempts: integer({
      label: 'Wrong codes in 15 minutes',
      help: 'For a session that is already signed in.',
      default: 5,
      range: [1, 20],
    }),
  },
});
