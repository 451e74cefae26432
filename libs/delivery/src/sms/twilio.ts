import {
  bodyOf,
  formHeaders,
  outcomeByStatus,
  type SmsProvider,
  withoutSlash,
} from './sms-call.js';

export type TwilioAccess = {
  readonly provider: 'twilio';
  readonly accountSid: string;
  readonly authToken: string;
  readonly baseUrl?: string;
} & ({ readonly from: string } | { readonly messagingServiceSid: string });

/** Twilio's Messages resource, version 2010-04-01. */
export function twilio(access: TwilioAccess): SmsProvider {
  const { accountSid, authToken, baseUrl = 'https://api.twilio.com' } = access;
  const account = encodeURIComponent(accountSid);
  const basic = Buffer.from(`${accountSid}:${authToken}`).toString('base64');
  const sender: Readonly<Record<string, string>> =
    'from' in access ? { From: access.from } : { MessagingServiceSid: access.messagingServiceSid };
  return {
    secrets: [authToken, basic],
    requestFor: ({ to, text }) => ({
      url: `${withoutSlash(baseUrl)}/2010-04-01/Accounts/${account}/Messages.json`,
      headers: { ...formHeaders, authorization: `Basic ${basic}` },
      body: new URLSearchParams({ To: to, ...sender, Body: text }).toString(),
    }),
    // An error is {code, message, more_info, status}.
    outcomeOf: (answer) => outcomeByStatus(answer, bodyOf(answer)['message']),
  };
}
