import { isRecord } from '#libs/wire';
import {
  bodyOf,
  formHeaders,
  outcomeByStatus,
  type SmsAnswer,
  type SmsOutcome,
  type SmsProvider,
  withoutSlash,
} from './sms-call.js';

export interface VonageAccess {
  readonly provider: 'vonage';
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly from: string;
  readonly baseUrl?: string;
}

/** The letters of GSM 03.38 with its extension: a text of these alone takes 7 bits a letter. */
const gsmText =
  /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/;
/** The statuses in the answer that mean trouble at Vonage rather than a fault of the message. */
const failing: ReadonlySet<string> = new Set(['5', '10']);

/** Vonage's SMS API. Numbers are sent without their plus sign. */
export function vonage(access: VonageAccess): SmsProvider {
  const { apiKey, apiSecret, from, baseUrl = 'https://rest.nexmo.com' } = access;
  return {
    secrets: [apiSecret],
    requestFor: ({ to, text }) => ({
      url: `${withoutSlash(baseUrl)}/sms/json`,
      headers: formHeaders,
      body: new URLSearchParams({
        api_key: apiKey,
        api_secret: apiSecret,
        from: from.replace(/^\+/, ''),
        to: to.replace(/^\+/, ''),
        text,
        type: gsmText.test(text) ? 'text' : 'unicode',
      }).toString(),
    }),
    outcomeOf,
  };
}

/** Vonage answers 200 even if it rejects: each message has a status, which is "0" if it was accepted. */
function outcomeOf(answer: SmsAnswer): SmsOutcome {
  const { messages, title } = bodyOf(answer);
  const first: unknown = Array.isArray(messages) ? messages[0] : undefined;
  if (!isRecord(first)) {
    const outcome = outcomeByStatus(answer, title);
    return outcome.kind === 'sent'
      ? { kind: 'failing', reason: 'its answer says nothing of the message' }
      : outcome;
  }
  const { status, 'error-text': reason } = first;
  if (status === '0') return { kind: 'sent' };
  return {
    kind: failing.has(String(status)) ? 'failing' : 'refused',
    reason: typeof reason === 'string' ? reason : `status ${String(status)}`,
  };
}
