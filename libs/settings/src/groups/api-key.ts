import { defineGroup } from '../define-group.js';
import { flag, integer, text } from '../field.js';

export const apiKey = defineGroup('auth.apiKey', {
  title: 'API keys of users',
  help: 'Users make keys for their own programs; a key is sent as a bearer token and acts as its user.',
  rebuilds: ['auth', 'http'],
  capability: 'settings.manage',
  fields: {
    enabled: flag({ label: 'Enabled', default: false }),
    prefix: text({
      label: 'Prefix',
      help: 'What keys begin with. Keys that exist keep the prefix that they were made with and stop working.',
      default: 'uak_',
      format: 'id',
      maxLength: 16,
    }),
    maxKeys: integer({ label: 'Keys of a user', default: 20, range: [1, 1000] }),
    maxLifetimeDays: integer({
      label: 'Longest life of a key',
      help: 'In days. 0: a key may live for ever.',
      default: 0,
      range: [0, 3650],
    }),
  },
});
