import {
  bodyOf,
  jsonHeaders,
  outcomeByStatus,
  type SignWebhook,
  type SmsProvider,
} from './sms-call.js';

export interface WebhookAccess {
  readonly provider: 'webhook';
  readonly url: string;
  readonly secret: string;
}

/** A server of the project's owner, which sends the SMS itself. Any 2xx means that it has accepted the message. */
export function webhook(access: WebhookAccess, sign: SignWebhook): SmsProvider {
  return {
    secrets: [access.secret],
    requestFor: ({ to, text, kind }) => {
      const body = JSON.stringify({ to, text, kind });
      const headers = { ...jsonHeaders, ...sign({ secret: access.secret, body }) };
      return { url: access.url, headers, body };
    },
    outcomeOf: (answer) => {
      const { message, error } = bodyOf(answer);
      return outcomeByStatus(answer, message ?? error);
    },
  };
}
