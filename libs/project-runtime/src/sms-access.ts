import type { SmsAccess } from '#libs/delivery';
import type { SettingsOf } from '#libs/settings';

/** How to reach the SMS provider of a project; undefined if the chosen provider lacks a required field. */
export function smsAccess(values: SettingsOf<'phone.sms'>): SmsAccess | undefined {
  switch (values.provider) {
    case 'none':
      return undefined;
    case 'twilio':
      return twilioAccess(values.twilio);
    case 'vonage': {
      const { apiKey, apiSecret, from, baseUrl } = values.vonage;
      if (apiKey === undefined || apiSecret === undefined || from === undefined) return undefined;
      return { provider: 'vonage', apiKey, apiSecret, from, baseUrl };
    }
    case 'messagebird': {
      const { accessKey, from, baseUrl } = values.messagebird;
      if (accessKey === undefined || from === undefined) return undefined;
      return { provider: 'messagebird', accessKey, from, baseUrl };
    }
    case 'webhook': {
      const { url, secret } = values.webhook;
      return url === undefined || secret === undefined
        ? undefined
        : { provider: 'webhook', url, secret };
    }
  }
}

function twilioAccess(values: SettingsOf<'phone.sms'>['twilio']): SmsAccess | undefined {
  const { accountSid, authToken, messagingServiceSid, from, baseUrl } = values;
  if (accountSid === undefined || authToken === undefined) return undefined;
  const account = { provider: 'twilio', accountSid, authToken, baseUrl } as const;
  if (messagingServiceSid !== undefined) return { ...account, messagingServiceSid };
  return from === undefined ? undefined : { ...account, from };
}
