// The console on a free port over a control plane of its own, and operators who can sign in to it.
import { declaredRoutes } from '#apps/api';
import { createConsoleApp, type ConsoleDeps, type DeploymentFacts } from '#apps/console/server';
import { type ControlPlane, ensureFirstOperator } from '#libs/control-plane';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { hash } from '@node-rs/argon2';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { pino } from 'pino';
import { type Call as HttpCall, type Reply as HttpReply, send } from '../support/http.js';
import { bearer } from '../support/replies.js';
import { openFixture, uniqueWord, type ControlPlaneFixture } from './control-plane-fixture.js';

export interface Reply extends HttpReply {
  /** The body read as JSON; undefined when it is not JSON. Typed loosely, as a client sees it. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each test reads the fields that it checks
  readonly body: any;
}

export interface Call extends Pick<HttpCall, 'body' | 'headers'> {
  readonly token?: string | undefined;
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
  const call = (method: string, path: string, { token, ...what }: Call = {}): Promise<Reply> => {
    const headers = {
      'user-agent': 'test',
      ...(token !== undefined && bearer(token)),
      ...what.headers,
    };
    return send(url, { ...what, method, path, headers });
  };
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

/** What a console shows of its process. */
export const ownFacts: DeploymentFacts = {
  version: 'test',
  roles: ['console'],
  variables: [],
  dataDir: tmpdir(),
  diskReserveBytes: undefined,
  database: 'external',
  jobStore: 'postgres',
  storage: 'local',
  connectionBudget: 60,
};

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
    readHost: async () => ({ alias: null, addresses: [] }),
    deployment: ownFacts,
    projectUrl: (ref) => `http://${ref}.localhost`,
    studioUrl: (ref) => `http://${ref}.localhost/studio`,
    consoleUrl: 'http://console.test',
    trustProxy: ['127.0.0.1'],
    deletedProjectDays: 7,
    canMail: true,
    log: pino({ level: 'silent' }),
  };
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
