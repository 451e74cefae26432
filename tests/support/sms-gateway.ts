// The message services that a project can send SMS by, as their manuals describe them, at their own paths on
// one server: Twilio, Vonage, MessageBird, and a webhook of one's own. What they take lands in an inbox.
import { Arrivals } from './arrivals.js';
import { openHttpRecorder, type Reaction, type RecordedRequest } from './http-recorder.js';

export type SmsService = 'twilio' | 'vonage' | 'messagebird' | 'webhook';

/** What each service knows its customer by; a webhook is told by its signature, which the test checks. */
export const SMS_ACCOUNTS = {
  twilio: { accountSid: 'AC0123456789abcdef', authToken: 'twilio-token' },
  vonage: { apiKey: 'vonage-key', apiSecret: 'vonage-secret' },
  messagebird: { accessKey: 'messagebird-key' },
} as const;

export interface ReceivedSms {
  readonly service: SmsService;
  /** With a plus, whatever the service wants to see. */
  readonly to: string;
  readonly from: string;
  readonly text: string;
  /** As it came, e.g. to check the signature of a webhook. */
  readonly request: RecordedRequest;
}

export interface SmsGateway {
  readonly origin: string;
  readonly messages: readonly ReceivedSms[];
  /** Every request, also those that were refused. */
  readonly requests: readonly RecordedRequest[];
  messagesTo(to: string): readonly ReceivedSms[];
  /** Takes the oldest message to this number that was not taken yet, or waits for it. Throws after 10 s. */
  waitForSms(to: string): Promise<ReceivedSms>;
  close(): Promise<void>;
}

interface Service {
  readonly service: SmsService;
  readonly path: RegExp;
  isCustomer(request: RecordedRequest): boolean;
  read(request: RecordedRequest): {
    readonly to: string;
    readonly from: string;
    readonly text: string;
  };
  readonly accepted: Reaction;
  readonly stranger: Reaction;
  refused(reason: string): Reaction;
}

/**
 * Opens the gateway. `refuse` names the reason why a number gets nothing, or the bare status of the answer; undefined
 * takes the message.
 */
export async function openSmsGateway(
  refuse: (to: string) => string | number | undefined = () => undefined,
): Promise<SmsGateway> {
  const arrivals = new Arrivals<ReceivedSms>();
  const recorder = await openHttpRecorder((request) => {
    const found = SERVICES.find(({ path }) => path.test(request.path));
    if (found === undefined || request.method !== 'POST') return { status: 404 };
    if (!found.isCustomer(request)) return found.stranger;
    const read = found.read(request);
    const to = read.to.startsWith('+') ? read.to : `+${read.to}`;
    const reason = refuse(to);
    if (typeof reason === 'number') return { status: reason };
    if (reason !== undefined) return found.refused(reason);
    arrivals.add({ ...read, to, service: found.service, request });
    return found.accepted;
  });
  return {
    origin: recorder.origin,
    get messages() {
      return arrivals.all;
    },
    get requests() {
      return recorder.requests;
    },
    messagesTo: (to) => arrivals.all.filter((message) => message.to === to),
    waitForSms: (to) => arrivals.take((message) => message.to === to, `SMS to ${to}`),
    close: () => recorder.close(),
  };
}

const SERVICES: readonly Service[] = [
  {
    service: 'twilio',
    path: new RegExp(`^/2010-04-01/Accounts/${SMS_ACCOUNTS.twilio.accountSid}/Messages\\.json$`),
    isCustomer({ headers }) {
      const { accountSid, authToken } = SMS_ACCOUNTS.twilio;
      return headers.authorization === `Basic ${btoa(`${accountSid}:${authToken}`)}`;
    },
    read: ({ form }) => ({
      to: form.get('To') ?? '',
      from: form.get('From') ?? form.get('MessagingServiceSid') ?? '',
      text: form.get('Body') ?? '',
    }),
    accepted: { status: 201, body: { sid: 'SM0', status: 'queued', error_code: null } },
    stranger: { status: 401, body: { code: 20003, message: 'Authenticate', status: 401 } },
    refused: (reason) => ({ status: 400, body: { code: 21211, message: reason, status: 400 } }),
  },
  {
    service: 'vonage',
    path: /^\/sms\/json$/,
    isCustomer(request) {
      const { apiKey, apiSecret } = SMS_ACCOUNTS.vonage;
      const shown = fieldsOf(request);
      if (request.headers.authorization === `Basic ${btoa(`${apiKey}:${apiSecret}`)}`) return true;
      return shown('api_key') === apiKey && shown('api_secret') === apiSecret;
    },
    read(request) {
      const shown = fieldsOf(request);
      return { to: shown('to'), from: shown('from'), text: shown('text') };
    },
    accepted: vonageAnswer({ status: '0', 'message-id': 'V0' }),
    // Vonage answers 200 to everything; the status of the message tells.
    stranger: vonageAnswer({ status: '4', 'error-text': 'Bad Credentials' }),
    refused: (reason) => vonageAnswer({ status: '6', 'error-text': reason }),
  },
  {
    service: 'messagebird',
    path: /^\/messages$/,
    isCustomer: ({ headers }) =>
      headers.authorization === `AccessKey ${SMS_ACCOUNTS.messagebird.accessKey}`,
    read(request) {
      const shown = fieldsOf(request);
      return { to: shown('recipients'), from: shown('originator'), text: shown('body') };
    },
    accepted: { status: 201, body: { id: 'M0', recipients: { totalCount: 1 } } },
    stranger: messageBirdError(401, 2, 'Request not allowed (incorrect access_key)'),
    refused: (reason) => messageBirdError(422, 9, reason),
  },
  {
    service: 'webhook',
    path: /./,
    isCustomer: () => true,
    read(request) {
      const shown = fieldsOf(request);
      return { to: shown('to'), from: '', text: shown('text') };
    },
    accepted: { status: 200, body: {} },
    stranger: { status: 401 },
    refused: (reason) => ({ status: 422, body: { message: reason } }),
  },
];

function vonageAnswer(message: Readonly<Record<string, string>>): Reaction {
  return { body: { 'message-count': '1', messages: [message] } };
}

function messageBirdError(status: number, code: number, description: string): Reaction {
  return { status, body: { errors: [{ code, description, parameter: null }] } };
}

/** A field of a body in JSON or of a form; of a list the only element. */
function fieldsOf({ json, form }: RecordedRequest): (name: string) => string {
  if (typeof json !== 'object' || json === null) return (name) => form.get(name) ?? '';
  return (name) => {
    const value: unknown = Reflect.get(json, name);
    return String((Array.isArray(value) ? value[0] : value) ?? '');
  };
}
