import { isRecord } from '#libs/wire';
import {
  bodyOf,
  jsonHeaders,
  outcomeByStatus,
  type SmsProvider,
  withoutSlash,
} from './sms-call.js';

export interface MessageBirdAccess {
  readonly provider: 'messagebird';
  readonly accessKey: string;
  readonly from: string;
  readonly baseUrl?: string;
}

/** MessageBird's SMS API. Numbers are sent without their plus sign. */
export function messageBird(access: MessageBirdAccess): SmsProvider {
  const { accessKey, from, baseUrl = 'https://rest.messagebird.com' } = access;
  return {
    secrets: [accessKey],
    requestFor: ({ to, text }) => ({
      url: `${withoutSlash(baseUrl)}/messages`,
      headers: { ...jsonHeaders, authorization: `AccessKey ${accessKey}` },
      body: JSON.stringify({
        originator: from.replace(/^\+/, ''),
        recipients: [to.replace(/^\+/, '')],
        body: text,
        // Letters outside of GSM 03.38 are sent as Unicode; without this they are replaced.
        datacoding: 'auto',
      }),
    }),
    outcomeOf: (answer) => outcomeByStatus(answer, firstReason(bodyOf(answer)['errors'])),
  };
}

/** An error is {errors: [{code, description, parameter}]}. */
function firstReason(errors: unknown): unknown {
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  if (!isRecord(first)) return undefined;
  const { description, parameter } = first;
  if (typeof description !== 'string') return undefined;
  return typeof parameter === 'string' ? `${description} (${parameter})` : description;
}
