import { defineGroup } from '../define-group.js';
import { flag, integer } from '../field.js';

export const rateLimit = defineGroup('security.rateLimit', {
  title: 'Rate limit',
  help: 'How often one IP address may call the authentication routes.',
  rebuilds: ['auth'],
  fields: {
    enabled: flag({ label: 'Enabled', default: true }),
    windowSeconds: integer({
      label: 'Window',
      default: 60,
      range: [1, 3600],
      unit: 's',
    }),
    max: integer({
      label: 'Requests in a window',
      help: 'All authentication routes together.',
      default: 600,
      range: [1, 1_000_000],
    }),
    credentialMax: integer({
      label: 'Attempts in a window',
      help: 'Sign-ups, sign-ins and other requests that carry a password.',
      default: 30,
      range: [1, 1_000_000],
    }),
  },
});
