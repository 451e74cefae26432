import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { closeControl } from '../control.js';
import { tokenOf } from '../database/accounts.js';
import { authFaultOf } from './verify.js';
import { AUTH_CASES, type AuthCase } from './works.js';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

let server: Server;
let port: number;
let answerTo: (request: IncomingMessage) => Answer;

beforeAll(async () => {
  server = createServer((request, reply) => {
    const { status, body } = answerTo(request);
    request.resume();
    reply.writeHead(status).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});

afterAll(() => {
  closeControl();
  server.close();
});

const session = {
  session: { userId: 'bench_user_1' },
  user: { id: 'bench_user_1', email: 'user1@bench.invalid' },
};

function isOwn(request: IncomingMessage): boolean {
  return request.headers.authorization === `Bearer ${tokenOf(1)}`;
}

function getSession(): AuthCase {
  const found = AUTH_CASES.find(({ key }) => key.work === 'get-session');
  if (found === undefined) throw new Error('There is no such case');
  return found;
}

describe('a session that is asked for', () => {
  test.each<{ name: string; answer: (request: IncomingMessage) => Answer; fault: unknown }>([
    {
      name: 'is shown to its user alone: right',
      answer: (request) => ({ status: 200, body: isOwn(request) ? session : null }),
      fault: undefined,
    },
    {
      name: 'is shown to strangers: wrong',
      answer: () => ({ status: 200, body: session }),
      fault: expect.stringContaining('a stranger is answered'),
    },
    {
      name: 'is shown to nobody: wrong',
      answer: () => ({ status: 200, body: null }),
      fault: expect.stringContaining('is there 0 times'),
    },
    {
      name: 'is refused: wrong',
      answer: () => ({ status: 429, body: session }),
      fault: expect.stringContaining('answered 429'),
    },
  ])('$name', async ({ answer, fault }) => {
    answerTo = answer;
    expect(await authFaultOf(getSession(), { port, host: 'x.localhost' })).toEqual(fault);
  });
});
