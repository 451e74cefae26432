// A server that receives hooks: it checks the signature of each call, keeps it, and answers as it is told.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CallHookFunction, HooksSettings } from '../../libs/hooks/src/hook-types.js';
import { createOutbound, newWebhookSecret, signWebhook, verifyWebhook } from '#libs/outbound';

export interface ReceivedHook {
  readonly isSigned: boolean;
  readonly contentType: string | undefined;
  readonly webhookId: unknown;
  readonly message: {
    readonly id: string;
    readonly type: string;
    readonly project: string;
    readonly createdAt: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

export interface HookAnswer {
  readonly status?: number;
  /** Text is sent as it is, anything else as JSON; nothing leaves the call without an answer. */
  readonly body?: unknown;
  readonly isSilent?: boolean;
}

export interface HookReceiver {
  readonly url: string;
  readonly secret: string;
  readonly received: ReceivedHook[];
  answer: (received: ReceivedHook) => HookAnswer;
  close(): void;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

/** Starts a receiver on a free port of this machine. The caller closes it. */
export async function openReceiver(): Promise<HookReceiver> {
  const secret = newWebhookSecret();
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const headers = new Headers();
      for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
      const nowSeconds = Math.floor(Date.now() / 1000);
      const received: ReceivedHook = {
        isSigned: verifyWebhook({ secret, headers, body, nowSeconds }),
        contentType: request.headers['content-type'],
        webhookId: request.headers['webhook-id'],
        message: JSON.parse(body),
      };
      receiver.received.push(received);
      const answer = receiver.answer(received);
      if (answer.isSilent === true) return;
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
      response.writeHead(answer.status ?? 200).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server on TCP answers an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const receiver: HookReceiver = {
    url: `http://127.0.0.1:${port}/hooks?key=hush`,
    secret,
    received: [],
    answer: () => ({}),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}

/** Settings in which all four hooks call the receiver. */
export function settingsFor(
  { url, secret }: HookReceiver,
  change: Partial<HooksSettings['signUp']> = {},
): HooksSettings {
  const hook: HooksSettings['signUp'] = {
    enabled: true,
    target: 'http',
    url,
    secret,
    timeoutMs: 5000,
    onFailure: 'refuse',
    ...change,
  };
  return { signUp: hook, accessToken: hook, send: hook, events: hook };
}

/** The rest of what a caller of hooks is handed. */
export const hookWiring = {
  project: 'abc',
  outbound: createOutbound({ allowedHosts: ['127.0.0.1'] }),
  sign: signWebhook,
  now: () => Date.now(),
};

/** For tests in which no function is to be called. */
export const noFunction: CallHookFunction = (name) =>
  Promise.reject(new Error(`there is no function ${name}`));
