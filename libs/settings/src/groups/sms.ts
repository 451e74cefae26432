import { defineGroup } from '../define-group.js';
import { isSigningSecret, signingSecretRule } from '../signing-secret.js';
import { choice, object, secret, text } from '../field.js';

const sender = text({
  label: 'Sender',
  help: 'A number such as +15551234567, or a name where the country allows it.',
  format: 'phone-sender',
  maxLength: 20,
});

/** The required fields of each provider. */
const NEEDED = {
  none: [],
  twilio: ['accountSid', 'authToken'],
  vonage: ['apiKey', 'apiSecret', 'from'],
  messagebird: ['accessKey', 'from'],
  webhook: ['url', 'secret'],
} as const;

type Provider = keyof typeof NEEDED;

function isProvider(name: string): name is Provider {
  return Object.hasOwn(NEEDED, name);
}

export const sms = defineGroup('phone.sms', {
  title: 'SMS',
  help: 'The provider that sends SMS.',
  rebuilds: ['auth'],
  isReported: true,
  fields: {
    provider: choice({
      label: 'Provider',
      of: ['none', 'twilio', 'vonage', 'messagebird', 'webhook'],
      default: 'none',
    }),
    text: text({
      label: 'Text of a code',
      help: '{{ code }} is the code, {{ appName }} the name of the application.',
      default: '{{ code }} is your code for {{ appName }}.',
      maxLength: 300,
    }),
    twilio: object({
      label: 'Twilio',
      fields: {
        accountSid: text({ label: 'Account SID', format: 'id', maxLength: 64 }),
        authToken: secret({ label: 'Auth token', maxLength: 200 }),
        from: sender,
        messagingServiceSid: text({
          label: 'Messaging service SID',
          help: 'Replaces the sender.',
          format: 'id',
          maxLength: 64,
        }),
        baseUrl: text({
          label: 'Address',
          default: 'https://api.twilio.com',
          format: 'url',
          maxLength: 500,
        }),
      },
    }),
    vonage: object({
      label: 'Vonage',
      fields: {
        apiKey: text({ label: 'API key', format: 'id', maxLength: 64 }),
        apiSecret: secret({ label: 'API secret', maxLength: 200 }),
        from: sender,
        baseUrl: text({
          label: 'Address',
          default: 'https://rest.nexmo.com',
          format: 'url',
          maxLength: 500,
        }),
      },
    }),
    messagebird: object({
      label: 'MessageBird',
      fields: {
        accessKey: secret({ label: 'Access key', maxLength: 200 }),
        from: sender,
        baseUrl: text({
          label: 'Address',
          default: 'https://rest.messagebird.com',
          format: 'url',
          maxLength: 500,
        }),
      },
    }),
    webhook: object({
      label: 'Your own server',
      help: 'Receives {to, text, kind} with the signature of Standard Webhooks.',
      fields: {
        url: text({ label: 'Address', format: 'url', maxLength: 2000 }),
        secret: secret({ label: 'Signing secret', maxLength: 500 }),
      },
    }),
  },
  conflict: ({ text: message, webhook }) => {
    if (!/\{\{ *code *\}\}/.test(message))
      return { field: 'text', reason: 'must contain {{ code }}' };
    return webhook.secret === undefined || isSigningSecret(webhook.secret)
      ? undefined
      : { field: 'webhook.secret', reason: signingSecretRule };
  },
  required: (values) => {
    const { provider } = values;
    if (!isProvider(provider) || provider === 'none') return ['provider'];
    const needed = NEEDED[provider].map((field) => `${provider}.${field}`);
    const hasService = values.twilio.messagingServiceSid !== undefined;
    return provider === 'twilio' && !hasService ? [...needed, 'twilio.from'] : needed;
  },
});
