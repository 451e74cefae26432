import { defineGroup } from '../define-group.js';
import { flag, text } from '../field.js';

export const passkey = defineGroup('auth.passkey', {
  title: 'Passkeys',
  help: 'Users sign in the way they unlock their device (WebAuthn).',
  rebuilds: ['auth'],
  isReported: true,
  fields: {
    enabled: flag({ label: 'Enabled', default: false }),
    rpId: text({
      label: 'Relying party id',
      help: 'The domain of the passkeys, without scheme and port, such as example.com.',
      format: 'host',
      maxLength: 253,
    }),
    rpName: text({ label: 'Name', help: 'What devices show.', maxLength: 100 }),
    origin: text({
      label: 'Origin',
      help: 'Of the pages that use passkeys, such as https://app.example.com. Empty: the addresses of the project.',
      format: 'url',
      maxLength: 500,
    }),
  },
  required: ({ enabled }) => (enabled ? ['rpId'] : []),
  conflict: ({ rpId, origin }) => {
    if (rpId === undefined || origin === undefined) return undefined;
    const { hostname } = new URL(origin);
    return hostname === rpId || hostname.endsWith(`.${rpId}`)
      ? undefined
      : { field: 'origin', reason: `must be at ${rpId} or below it` };
  },
});
