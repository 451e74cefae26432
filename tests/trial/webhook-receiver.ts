// The receiver of the trial's webhooks. It answers 503 once to each third message, as a server that restarts does.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';

import { keyOfCall } from '../../bench/storage/webhooks.js';

const refusedOneIn = 3;

export interface WebhookReceiver {
  /** Variables of a deployment that may call this receiver. */
  readonly env: Readonly<Record<string, string>>;
  readonly url: string;
  /** Whether a message about the file with this key was accepted. */
  hasHeardOf(key: string): boolean;
  /** How many messages were answered 503. */
  readonly refused: number;
  close(): Promise<void>;
}

export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const refused = new Set<string>();
  const keys = new Set<string>();
  let messages = 0;
  const statusFor = async (request: IncomingMessage): Promise<number> => {
    const id = String(request.headers['webhook-id']);
    const key = keyOfCall(await json(request));
    if (key === undefined || request.headers['webhook-signature'] === undefined) return 400;
    messages += 1;
    if (messages % refusedOneIn === 0 && !refused.has(id)) {
      refused.add(id);
      return 503;
    }
    keys.add(key);
    return 200;
  };
  const server = createServer((request, reply) => {
    void statusFor(request)
      .catch(() => 400)
      .then((status) => reply.writeHead(status).end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  const host = `127.0.0.1:${address.port}`;
  return {
    env: { OUTBOUND_ALLOWED_HOSTS: host },
    url: `http://${host}/`,
    hasHeardOf: (key) => keys.has(key),
    get refused() {
      return refused.size;
    },
    async close() {
      server.close();
      await once(server, 'close');
    },
  };
}
