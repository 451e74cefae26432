import { defineGroup } from '../define-group.js';
import { flag, integer } from '../field.js';

const day = 86_400;
const year = 365 * day;

export const sessions = defineGroup('auth.sessions', {
  title: 'Sessions',
  help: 'How long a sign-in lasts.',
  rebuilds: ['auth'],
  fields: {
    expiresIn: integer({
      label: 'Lifetime',
      help: 'A session ends if it is not renewed within this time.',
      default: 7 * day,
      range: [300, year],
      unit: 's',
    }),
    updateAge: integer({
      label: 'Renew after',
      help: 'A session in use is renewed if its last renewal is older than this; 0 renews it each time.',
      default: day,
      range: [0, year],
      unit: 's',
    }),
    freshAge: integer({
      label: 'Fresh for',
      help: 'How long after sign-in an account can be deleted without the password.',
      default: day,
      range: [60, year],
      unit: 's',
    }),
    timebox: integer({
      label: 'End after',
      help: 'A session ends this long after the sign-in, even if it is in use. 0: never.',
      default: 0,
      range: [0, year],
      unit: 's',
    }),
    inactivityTimeout: integer({
      label: 'End when unused for',
      help: 'Measured in steps of a tenth of it. 0: only the lifetime counts.',
      default: 0,
      range: [0, year],
      unit: 's',
    }),
    singleSession: flag({
      label: 'One session per user',
      help: 'A sign-in ends the sessions on other devices.',
      default: false,
    }),
  },
  conflict: ({ updateAge, expiresIn }) =>
    updateAge > expiresIn
      ? { field: 'updateAge', reason: 'must not be greater than expiresIn' }
      : undefined,
});
