import { defineGroup } from '../define-group.js';
import { flag, integer } from '../field.js';

export const magicLink = defineGroup('auth.methods.magicLink', {
  title: 'Magic link',
  help: 'Users sign in with a link that is sent to them. Needs a working mail server.',
  rebuilds: ['auth'],
  fields: {
    enabled: flag({ label: 'Enabled', default: true }),
    expiresIn: integer({ label: 'Life of a link', default: 600, range: [60, 86_400], unit: 's' }),
    createUsers: flag({
      label: 'New addresses make an account',
      help: 'Off: only users who exist are sent a link that works.',
      default: true,
    }),
    confirm: flag({
      label: 'Ask before signing in',
      help: 'The link opens a page with a button, so that programs that read mails cannot use it up.',
      default: true,
    }),
  },
});
