import { defineGroup } from '../define-group.js';
import { flag, integer, secret, text } from '../field.js';

export const smtp = defineGroup('email.smtp', {
  title: 'SMTP',
  help: 'The server that sends email. If any field is stored here, the settings of the deployment are not used.',
  rebuilds: [],
  isReported: true,
  fields: {
    host: text({ label: 'Host', format: 'host', maxLength: 253, env: 'SMTP_HOST' }),
    port: integer({ label: 'Port', default: 587, range: [1, 65_535], env: 'SMTP_PORT' }),
    secure: flag({
      label: 'TLS from the start',
      help: 'On for port 465; off for a server that upgrades with STARTTLS.',
      default: false,
      env: 'SMTP_SECURE',
    }),
    user: text({ label: 'User', maxLength: 320, env: 'SMTP_USER' }),
    password: secret({ label: 'Password', maxLength: 1000, env: 'SMTP_PASSWORD' }),
    from: text({
      label: 'Sender',
      help: 'An address, or a name and an address: Rowhouse <no-reply@example.com>.',
      format: 'sender',
      maxLength: 320,
      env: 'SMTP_FROM',
    }),
  },
  required: ({ user }) => (user === undefined ? ['host', 'from'] : ['host', 'from', 'password']),
});
