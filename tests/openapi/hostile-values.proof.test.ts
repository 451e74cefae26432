// No value makes a route answer 500: each field of the bodies and each parameter that the descriptions name gets values
// that no client means. Routes join by themselves.
import { afterAll, beforeAll, expect, vi, test } from 'vitest';

import { isRecord } from '#libs/wire';

import { asRecord, Deployment } from '../support/deployment.js';
import { type Call, type Reply, send } from '../support/http.js';
import { type AccountWorld, openAccountWorld } from './accounts/world.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const values: Readonly<Record<string, unknown>> = {
  nul: 'a\0b',
  'half a pair': 'a\ud800b',
  long: 'x'.repeat(5000),
  'a large number': 1e308,
  'beyond bigint': '9223372036854775808',
  negative: -1,
  fraction: 1.5,
  true: true,
  null: null,
  list: [1],
  object: { constructor: { a: 1 } },
  'no date': '99999-99-99T99:99:99Z',
};

/** End the session of the caller, or take the project away. */
const ending =
  /sign-out|logout|delete-user|revoke|\/platform\/account|^delete \/platform\/projects\/\{ref\}$/;
/** Whether the failure is that of a server elsewhere. */
const isOfOthers = ({ text }: Reply) => text.includes('"code":"OUTBOUND_FAILED"');

type Ask = (call: Call) => Promise<Reply>;

let deployment: Deployment;
let world: AccountWorld;
beforeAll(async () => {
  [deployment, world] = await Promise.all([Deployment.open(), openAccountWorld()]);
});
afterAll(async () => {
  await Promise.all([deployment.close(), world.close()]);
});

test('routes of a project, for the secret key', async () => {
  const { project } = world;
  const headers = { apikey: project.secretKey };
  const ask: Ask = (call) => project.send({ ...call, headers: { ...headers, ...call.headers } });
  expect(await failures(await documentAt(ask, '/api/docs/json'), ask)).toEqual([]);
});

test('routes of a project, for a user', async () => {
  const { project } = world;
  const { token } = await world.newPerson();
  const ask: Ask = (call) =>
    project.send({ ...call, headers: { authorization: `Bearer ${token}`, ...call.headers } });
  expect(await failures(await documentAt(ask, '/api/docs/json'), ask)).toEqual([]);
});

test('routes of the console, for an operator', async () => {
  const { ref } = await deployment.createProject();
  const ask: Ask = (call) => deployment.console({ ...call, path: call.path.replace('{ref}', ref) });
  const document = await documentAt((call) => send(deployment.consoleOrigin, call), '/docs/json');
  expect(await failures(document, ask)).toEqual([]);
});

async function documentAt(ask: Ask, path: string): Promise<Record<string, unknown>> {
  return asRecord((await ask({ path })).body);
}

/** The calls that did not get an answer below 500, and what they got. */
async function failures(document: Record<string, unknown>, ask: Ask): Promise<readonly string[]> {
  const failed: string[] = [];
  let asked = 0;
  for (const [path, item] of Object.entries(asRecord(document['paths']))) {
    for (const [verb, described] of Object.entries(asRecord(item))) {
      const where = `${verb} ${path}`;
      if (ending.test(where)) continue;
      for (const { name, call } of hostileCalls({ verb, path, described: asRecord(described) })) {
        const reply = await ask(call);
        asked += 1;
        if (reply.status >= 500 && !isOfOthers(reply))
          failed.push(`${where} ${name}: ${reply.status} ${reply.text}`);
      }
    }
  }
  expect(asked).toBeGreaterThan(500);
  return failed;
}

interface Operation {
  readonly verb: string;
  readonly path: string;
  readonly described: Record<string, unknown>;
}

interface HostileCall {
  readonly name: string;
  readonly call: Call;
}

function hostileCalls(operation: Operation): readonly HostileCall[] {
  return Object.entries(values).flatMap(([kind, value]) => [
    ...bodiesWith(operation, kind, value),
    ...targetsWith(operation, kind, value),
  ]);
}

/** Bodies with the value in one field, and as a whole. */
function bodiesWith(operation: Operation, kind: string, value: unknown): readonly HostileCall[] {
  const content = asRecord(asRecord(operation.described['requestBody'] ?? {})['content'] ?? {});
  if (!('application/json' in content)) return [];
  const { example } = asRecord(content['application/json']);
  const fields = isRecord(example) ? example : {};
  const bodies = [
    ...Object.keys(fields).map((field) => ({ field, body: { ...fields, [field]: value } })),
    { field: 'body', body: value },
  ];
  return bodies.map(({ field, body }) => ({
    name: `${field} is ${kind}`,
    call: {
      method: operation.verb.toUpperCase(),
      path: pathOf(operation),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    },
  }));
}

/** Paths and queries with the value in one parameter. */
function targetsWith(operation: Operation, kind: string, value: unknown): readonly HostileCall[] {
  const text = encoded(value);
  if (text === undefined) return [];
  const method = operation.verb.toUpperCase();
  return [operation.described['parameters'] ?? []].flat().flatMap((each) => {
    const { in: place, name } = asRecord(each);
    const parameter = String(name);
    if (place === 'path' && parameter === 'ref') return [];
    const path = pathOf(operation, place === 'path' ? { [parameter]: text } : {});
    const query = place === 'query' ? `?${encodeURIComponent(parameter)}=${text}` : '';
    return [{ name: `${parameter} is ${kind}`, call: { method, path: `${path}${query}` } }];
  });
}

/** Undefined for a value that no URL can hold. */
function encoded(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /\p{Surrogate}/u.test(text) ? undefined : encodeURIComponent(text);
}

function pathOf({ path }: Operation, given: Readonly<Record<string, string>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (all, name: string) =>
    name === 'ref' ? all : (given[name] ?? '00000000-0000-4000-8000-000000000000'),
  );
}
