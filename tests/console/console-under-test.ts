// The console on a free port over a control plane of its own, and operators who can sign in to it.
import { declaredRoutes } from '#apps/api';
import { createConsoleApp, type ConsoleDeps } from '#apps/console/server';
import { type ControlPlane, ensureFirstOperator } from '#libs/control-plane';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { hash } from '@node-rs/argon2';
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { openFixture, uniqueWord, type ControlPlaneFixture } from './control-plane-fixture.js';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when there is none. Typed loosely, as a client sees it. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each test reads the fields that it checks
  readonly body: any;
}

export interface Call {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export interface TestConsole extends AsyncDisposable {
  readonly fixture: ControlPlaneFixture;
  readonly app: NestFastifyApplication;
  readonly url: string;
  /** The administrator of the deployment. */
  readonly admin: { readonly email: string; readonly password: string };
  call(method: string, path: string, call?: Call): Promise<Reply>;
  /** The session token of an operator without a second factor. */
  signIn(email: string, password: string): Promise<string>;
  /** An operator with this password and no membership. */
  addOperator(email?: string): Promise<TestOperator>;
}

export interface TestOperator {
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

export const testPassword = 'a long test password';

/** `X-Forwarded-For` is believed, so that a test can come from an address of its own. */
export async function startConsole(changes: Partial<ConsoleDeps> = {}): Promise<TestConsole> {
  const fixture = await openFixture();
  const { controlPlane } = fixture;
  const admin = { email: 'admin@test.example', password: testPassword };
  // The operator of the fixture would pass for the first one.
  await controlPlane.dataSource.query('delete from membership');
  await controlPlane.dataSource.query('delete from operator');
  await ensureFirstOperator(controlPlane, admin);
  const app = await createConsoleApp({
    ...depsOf(controlPlane),
    publish: async (topic, data) => void fixture.published.push({ topic, data }),
    ...changes,
  });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const call = (method: string, path: string, what: Call = {}): Promise<Reply> =>
    request(`${url}${path}`, method, what);
  return {
    fixture,
    app,
    url,
    admin,
    call,
    async signIn(email, password) {
      const reply = await call('POST', '/platform/login', { body: { email, password } });
      if (reply.status !== 200) throw new Error(`Login answered ${reply.status}: ${reply.text}`);
      return String(reply.body.token);
    },
    addOperator: (email) => addOperator(fixture, email ?? `${uniqueWord('o')}@test.example`),
    async [Symbol.asyncDispose]() {
      await app.close();
      await fixture[Symbol.asyncDispose]();
    },
  };
}

/** What a console needs besides its control plane, leading nowhere. */
export function depsOf(controlPlane: ControlPlane): ConsoleDeps {
  return {
    controlPlane,
    publish: async () => {},
    projectRoutes: declaredRoutes(),
    apiInternalUrl: 'http://127.0.0.1:1',
    assertionKey: randomBytes(32),
    rootDomain: 'localhost',
    readTxt: async () => ({ texts: [] }),
    projectUrl: (ref) => `http://${ref}.localhost`,
    consoleUrl: 'http://console.test',
    trustProxy: ['127.0.0.1'],
    deletedProjectDays: 7,
    canMail: true,
    log: pino({ level: 'silent' }),
  };
}

async function request(
  url: string,
  method: string,
  { token, body, headers }: Call,
): Promise<Reply> {
  const reply = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await reply.text();
  const isJson = reply.headers.get('content-type')?.startsWith('application/json') === true;
  const parsed: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
  return { status: reply.status, headers: reply.headers, text, body: parsed };
}

// The least work that Argon2 does: what these tests are about is not how costly it is.
const cheap = { memoryCost: 1024, timeCost: 1, parallelism: 1 };

async function addOperator(fixture: ControlPlaneFixture, email: string): Promise<TestOperator> {
  const id = uniqueWord('op');
  await fixture.controlPlane.dataSource.query(
    'insert into operator (id, email, name) values ($1, $2, $2)',
    [id, email],
  );
  await fixture.controlPlane.dataSource.query(
    `insert into operator_account (id, operator_id, provider_id, account_id, password)
     values ($1, $1, 'credential', $1, $2)`,
    [id, await hash(testPassword, cheap)],
  );
  return { id, email, password: testPassword };
}
