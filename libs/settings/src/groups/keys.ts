import { defineGroup } from '../define-group.js';
import { flag } from '../field.js';

export const keys = defineGroup('security.keys', {
  title: 'Project keys',
  help: 'Whether clients must send a key of the project.',
  rebuilds: ['http'],
  capability: 'settings.manage',
  fields: {
    enforced: flag({
      label: 'Enforced',
      help: 'Every request needs a valid publishable or secret key in the header apikey.',
      default: false,
    }),
  },
});
