import { defineGroup } from '../define-group.js';
import { flag, integer } from '../field.js';

export const anonymous = defineGroup('auth.methods.anonymous', {
  title: 'Guests',
  help: 'Visitors get an account without credentials and can make it permanent later.',
  rebuilds: ['auth'],
  isReported: true,
  capability: 'settings.manage',
  fields: {
    enabled: flag({ label: 'Enabled', default: false }),
    keepDays: integer({
      label: 'Keep unused guests for',
      help: 'In days. Guests without a session for this long are deleted; 0 keeps them forever.',
      default: 30,
      range: [0, 3650],
    }),
  },
});
