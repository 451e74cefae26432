import { defineGroup } from '../define-group.js';
import { flag, integer } from '../field.js';

export const magicLink = defineGroup('auth.methods.magicLink', {
  title: 'Magic link',
  help: 'Users sign in with a link sent by email. Needs a working mail server.',
  rebuilds: ['auth'],
  isReported: true,
  sends: () => ['mail'],
  fields: {
    enabled: flag({ label: 'Enabled', default: true }),
    expiresIn: integer({
      label: 'Lifetime of a link',
      default: 600,
      range: [60, 86_400],
      unit: 's',
    }),
    createUsers: flag({
      label: 'Create accounts for new addresses',
      help: 'Off: only existing users receive a working link.',
      default: true,
    }),
    confirm: flag({
      label: 'Ask before signing in',
      help: 'The link opens a page with a button, so that programs that scan mails do not use it up.',
      default: true,
    }),
  },
});
