import { AppError, fail } from '#libs/errors';

import { plainReason, secretsIn } from '../plain-reason.js';
import { messageBird, type MessageBirdAccess } from './messagebird.js';
import type { SignWebhook, Sms, SmsAnswer, SmsCall, SmsProvider, SmsRequest } from './sms-call.js';
import { twilio, type TwilioAccess } from './twilio.js';
import { vonage, type VonageAccess } from './vonage.js';
import { webhook, type WebhookAccess } from './webhook.js';

/** How to reach an SMS provider. */
export type SmsAccess = TwilioAccess | VonageAccess | MessageBirdAccess | WebhookAccess;

/** The other adapters that sending needs. */
export interface SmsDeps {
  readonly call: SmsCall;
  readonly sign: SignWebhook;
}

export interface SmsSender {
  /**
   * Hands the message to the provider. Throws SMS_REFUSED (502) with the provider's own reason, and SMS_UNREACHABLE
   * (503) if there is no answer or the provider has trouble. It does not retry.
   */
  send(sms: Sms): Promise<void>;
}

const callTimeoutMs = 10_000;

/** Returns a sender of SMS over one provider. It holds no resources and needs no closing. */
export function openSms(access: SmsAccess, deps: SmsDeps): SmsSender {
  const provider = providerOf(access, deps.sign);
  return {
    async send(sms) {
      // A provider that refuses a message may repeat its text.
      const secrets = [...provider.secrets, ...secretsIn(sms.text)];
      const answer = await ask(provider.requestFor(sms), deps.call, secrets);
      const outcome = provider.outcomeOf(answer);
      switch (outcome.kind) {
        case 'sent':
          return;
        case 'refused':
          throw fail('SMS_REFUSED', { reason: plainReason(outcome.reason, secrets) });
        case 'failing':
          throw fail('SMS_UNREACHABLE', { reason: plainReason(outcome.reason, secrets) });
      }
    },
  };
}

function providerOf(access: SmsAccess, sign: SignWebhook): SmsProvider {
  switch (access.provider) {
    case 'twilio':
      return twilio(access);
    case 'vonage':
      return vonage(access);
    case 'messagebird':
      return messageBird(access);
    case 'webhook':
      return webhook(access, sign);
  }
}

async function ask(
  request: SmsRequest,
  call: SmsCall,
  secrets: readonly string[],
): Promise<SmsAnswer> {
  try {
    return await call({ ...request, method: 'POST', timeoutMs: callTimeoutMs });
  } catch (cause) {
    // `call` gives its reason as an error of the table; any other error is not meant to be shown.
    const reason = cause instanceof AppError ? cause.message : 'it gave no answer';
    throw fail('SMS_UNREACHABLE', { reason: plainReason(reason, secrets) }, { cause });
  }
}
