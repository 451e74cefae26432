import { defineGroup } from '../define-group.js';
import { flag, integer, text } from '../field.js';

export const apiKey = defineGroup('auth.apiKey', {
  title: 'API keys of users',
  help: 'Users make keys for their own programs; a key is sent as a bearer token and acts as its user.',
  rebuilds: ['auth', 'http'],
  isReported: true,
  capability: 'settings.manage',
  fields: {
    enabled: flag({ label: 'Enabled', default: false }),
    prefix: text({
      label: 'Prefix',
      help: 'Every key begins with it. Existing keys keep their old prefix and stop working.',
      default: 'uak_',
      format: 'id',
      maxLength: 16,
    }),
    maxKeys: integer({ label: 'Keys per user', default: 20, range: [1, 1000] }),
    maxLifetimeDays: integer({
      label: 'Maximum lifetime of a key',
      help: 'In days. 0: keys need not expire.',
      default: 0,
      range: [0, 3650],
    }),
  },
});
