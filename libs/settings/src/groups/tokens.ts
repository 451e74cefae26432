import { defineGroup } from '../define-group.js';
import { integer, text } from '../field.js';

export const tokens = defineGroup('auth.tokens', {
  title: 'Signed tokens (JWT)',
  help: 'Tokens that other servers verify with the published keys.',
  rebuilds: ['auth'],
  fields: {
    expiresIn: integer({
      label: 'Lifetime',
      help: 'A token cannot be revoked before it expires.',
      default: 900,
      range: [60, 86_400],
      unit: 's',
    }),
    audience: text({ label: 'Audience', default: 'authenticated', maxLength: 200 }),
    rotateAfterDays: integer({
      label: 'New signing key every',
      help: 'In days. 0: only when an administrator rotates it.',
      default: 0,
      range: [0, 3650],
    }),
    graceDays: integer({
      label: 'Publish an old key for',
      help: 'In days after its replacement, so that its tokens can still be verified.',
      default: 30,
      range: [1, 365],
    }),
  },
});
