// Whatever bytes a request is made of: the server answers in time, never with a fault of its own, tells what
// is wrong in its one shape, and says nothing of the statements behind it.
import { afterAll, beforeAll, describe, expect, vi, test } from 'vitest';
import fc from 'fast-check';

import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { Dice } from './dice.js';
import { mutate, randomBytes } from './mutations.js';
import { exchange, type RawReply, type RawRequest, requestBytes } from './raw-exchange.js';
import { runsOf, seed } from './settings.js';
import { PROJECT, validRequests } from './valid-requests.js';

vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 3_600_000 });

const RUNS = runsOf(3_000);

let deployment: Deployment;
let project: ProjectUnderTest;
let headersOf: Readonly<Record<string, readonly (readonly [string, Buffer])[]>>;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  await project.sql(PROJECT);
  const { token } = await project.signUp('ada@example.org');
  headersOf = {
    anybody: [['apikey', Buffer.from(project.publishableKey)]],
    'a signed-in user': [['authorization', Buffer.from(`Bearer ${token}`)]],
    'the secret key': [['apikey', Buffer.from(project.secretKey)]],
  };
});
afterAll(() => deployment.close());

const send = (bytes: Buffer) => exchange(project.apiOrigin, bytes);

test('every request works before it is damaged', async () => {
  for (const request of validRequests) {
    const bytes = requestBytes(project.host, withHeaders(request, 'the secret key'));
    const { status, body } = (await send(bytes)) ?? { status: 0, body: '' };
    const target = request.target.toString();
    expect({ target, body, isFine: [200, 201, 204].includes(status) }).toEqual({
      target,
      body,
      isFine: true,
    });
  }
});

describe.each(['anybody', 'a signed-in user', 'the secret key'])('sent by %s', (caller) => {
  const forBytes = (make: (dice: Dice) => Buffer) =>
    fc.assert(
      fc.asyncProperty(fc.gen(), async (generate) => {
        const bytes = make(new Dice(generate));
        try {
          const reply = await send(bytes);
          if (!reply) throw new Error('the server closed without an answer');
          checkReply(reply, bytes);
        } catch (error) {
          const request = JSON.stringify(bytes.toString('latin1'));
          throw new Error(`${String(error)}\nof the latin1 text ${request}`, { cause: error });
        }
      }),
      {
        numRuns: Math.ceil(RUNS / 6),
        seed,
        interruptAfterTimeLimit: 3_000_000,
        markInterruptAsFailure: true,
      },
    );

  test('a damaged request is answered or refused', () =>
    forBytes((dice) => {
      const request = withHeaders(dice.pick(validRequests), caller);
      return requestBytes(project.host, damaged(dice, request));
    }));

  test('a request of random bytes is answered or refused', () =>
    forBytes((dice) => {
      const request = withHeaders(dice.pick(validRequests), caller);
      const part = dice.upTo(3);
      const path = Buffer.from(dice.pick(['/rest/v1/items?', '/rest/v1/', '/rest/v1/rpc/', '/']));
      const bytes = randomBytes(dice, 80);
      if (part === 0) return requestBytes(project.host, { ...request, body: bytes });
      const target = Buffer.concat([path, bytes]);
      if (part === 1) return requestBytes(project.host, { ...request, target });
      const name = dice.pick([
        'prefer',
        'range',
        'accept',
        'content-type',
        'cookie',
        'x-any',
        'origin',
      ]);
      const headers = [...request.headers, [name, bytes] as const];
      return requestBytes(project.host, { ...request, headers });
    }));

  test('and the server goes on', async () => {
    const [first] = validRequests;
    const reply = first && (await send(requestBytes(project.host, withHeaders(first, caller))));
    expect(reply?.status).toBe(200);
    expect(JSON.parse(reply?.body ?? '')).not.toHaveLength(0);
  });
});

function withHeaders(request: RawRequest, caller: string): RawRequest {
  return { ...request, headers: [...(headersOf[caller] ?? []), ...request.headers] };
}

/** A request of which one part has been changed, now and then several. */
function damaged(dice: Dice, request: RawRequest): RawRequest {
  const others = validRequests.flatMap(({ target, body }) => (body ? [target, body] : [target]));
  const prefix = Buffer.byteLength('/rest/v1/');
  let { target, headers, body } = request;
  const parts = dice.many({ least: 1, most: 3, percent: 25 }, () => dice.upTo(3));
  for (const part of parts) {
    if (part === 1 && body) body = mutate(dice, body, others);
    else if (part === 2 && headers.length > 1) {
      const index = 1 + dice.upTo(headers.length - 2);
      headers = headers.map(([name, value], i) =>
        i === index ? ([name, mutate(dice, value, others)] as const) : [name, value],
      );
    } else {
      const rest = mutate(dice, target.subarray(prefix), others);
      target = Buffer.concat([target.subarray(0, prefix), part === 3 ? escaped(rest) : rest]);
    }
  }
  const method = dice.chance(5)
    ? dice.pick(['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'])
    : request.method;
  return { method, target, headers, body };
}

/** The same bytes so encoded that they reach the grammar rather than the parser of HTTP. */
function escaped(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  return Buffer.from(
    text.replace(/[^\x21-\x7e]/g, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`),
  );
}

/** Pieces of our statements. What a request says itself may come back in the message about it. */
const STATEMENT_PIECES = [
  'select t',
  'select r',
  ' from (',
  '"public".',
  'pg_catalog',
  'row_to_json',
  'json_agg',
  'json_to_record',
  'lateral',
  'coalesce(',
  'set_config',
  'json_build',
  ' r.*',
  't.c1',
  '$1',
  'returning ',
  'auth.deny',
];

function checkReply({ status, headers, body }: RawReply, request: Buffer): void {
  expect({ status, body, isFault: status >= 500 }).toEqual({ status, body, isFault: false });
  const isHead = request.toString('latin1', 0, 5) === 'HEAD ';
  if (status < 400 || isHead) return;
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  const error = asRecord(JSON.parse(body));
  expect(error).toMatchObject({
    status,
    message: expect.any(String),
    code: expect.any(String),
    requestId: expect.any(String),
  });
  const said = `${request.toString('utf8')} ${decoded(request)}`;
  const told = STATEMENT_PIECES.filter((piece) => body.includes(piece) && !said.includes(piece));
  expect({ body, told }).toEqual({ body, told: [] });
}

function decoded(request: Buffer): string {
  return request
    .toString('utf8')
    .replace(/(?:%[\da-f]{2})+/gi, (escapes) =>
      Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'),
    );
}
