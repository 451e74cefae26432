// A project database of its own with an auth engine on it, and a browser-like client of that engine.
import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import {
  buildAuth,
  deleteUser,
  type AuthHooks,
  type AuthInstance,
  type AuthLogEntry,
  type AuthSms,
  type EngineRequest,
  type MessageStore,
  type OutboundCall,
} from '#libs/auth-engine';
import { createMemoryLimiter } from '#libs/rate-limit';
import { resolveAll } from '#libs/settings';
import { copyProject, type ProjectCopy } from '../support/project-copy.js';
import { testDatabaseUrl, withClient } from '../support/test-server.js';

/** Dropping the database ends connections that are still on their way out (SQLSTATE admin_shutdown). */
function ignoreForcedEnd(error: Error): void {
  if (Reflect.get(error, 'code') !== '57P01') throw error;
}

async function deleteOverItsLogin({ names, password }: ProjectCopy, id: string): Promise<boolean> {
  const url = new URL(testDatabaseUrl(names.database));
  url.username = names.deleter;
  url.password = password;
  return withClient(url.href, async (client) => {
    const statement = 'select auth.delete_user($1) as done';
    const { rows } = await client.query<{ done: boolean }>(statement, [id]);
    return rows[0]?.done === true;
  });
}

/** A client's view of an answer. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface Ask {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly ip?: string;
  /** The address in the request; by default the project's own. */
  readonly url?: string;
  readonly via?: AuthInstance;
}

interface Options {
  readonly idType?: 'text' | 'uuid';
  /** Stored settings by group; the rate limit is off unless they name it. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly baseUrl?: string;
  readonly generateUsername?: () => string;
  /** False: the project has no provider of SMS. */
  readonly hasSms?: boolean;
  /** Whether the project can send mail; by default it can. */
  readonly canMail?: () => boolean;
  /** Where the engine stores messages; by default they are listed in `mails` and `texts`. */
  readonly messages?: (pool: pg.Pool) => MessageStore;
  readonly hooks?: AuthHooks;
  /** How the engine reaches servers that an administrator names; without it every such server is down. */
  readonly call?: OutboundCall;
}

/** For an engine that sends nothing. */
export const noMessages: MessageStore = {
  canMail: () => true,
  hasSms: false,
  checkRoom: () => Promise.resolve(),
  store: () => Promise.resolve([]),
  send: () => undefined,
};

/** A mail as it was handed over. */
export interface SentMail {
  readonly kind: string;
  readonly to: string;
  readonly values: Readonly<Record<string, string | number | undefined>>;
}

export interface AuthProject {
  readonly auth: AuthInstance;
  readonly secret: string;
  /** Works as the engine's role. */
  readonly pool: pg.Pool;
  /** Deletes a user whose deletion the engine has requested. */
  readonly runDeletion: (userId: string) => Promise<boolean>;
  /** Deletes a user, as the runtime of a project does. */
  readonly deleteUser: (userId: string) => Promise<boolean>;
  readonly log: readonly AuthLogEntry[];
  /** What was sent, the newest last. */
  readonly mails: readonly SentMail[];
  readonly texts: readonly AuthSms[];
  /** Another instance on the same database and limiter, as after a save. */
  rebuild(settings: Readonly<Record<string, unknown>>): Promise<AuthInstance>;
  get(path: string, ask?: Ask): Promise<Reply>;
  post(path: string, ask?: Ask): Promise<Reply>;
  /** Rows as the superuser sees them. */
  sql(text: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

/** Makes the database and builds the engine. The caller closes what it gets. */
export async function openAuthProject(options: Options = {}): Promise<AuthProject> {
  const { idType = 'text', baseUrl = 'http://abc.localhost:8000' } = options;
  const copy = await copyProject(idType);
  const { database } = copy.names;
  const admin = new pg.Pool({ connectionString: testDatabaseUrl(database), max: 2 });
  const runDeletion = (id: string): Promise<boolean> => deleteOverItsLogin(copy, id);
  const pool = new pg.Pool({
    connectionString: testDatabaseUrl(database),
    max: 8,
    options: '-c role=platform_engine',
  });
  for (const opened of [admin, pool]) opened.on('error', ignoreForcedEnd);
  const log: AuthLogEntry[] = [];
  const mails: SentMail[] = [];
  const texts: AuthSms[] = [];
  const secret = randomBytes(32).toString('hex');
  const rateLimiter = createMemoryLimiter(() => performance.now());
  const build = (settings: Readonly<Record<string, unknown>>): Promise<AuthInstance> =>
    buildAuth({
      settings: resolveAll({ 'security.rateLimit': { enabled: false }, ...settings }, {}),
      ref: 'abc',
      secret,
      baseUrl,
      messages: options.messages?.(pool) ?? {
        canMail: options.canMail ?? (() => true),
        hasSms: options.hasSms !== false,
        checkRoom: () => Promise.resolve(),
        store: async (messages) => {
          for (const message of messages) {
            const { kind, to } = message;
            if (message.channel === 'email')
              mails.push({ kind, to, values: { ...message.values } });
            else texts.push({ kind: message.kind, to, code: message.code });
          }
          return [];
        },
        send: () => undefined,
      },
      hooks: options.hooks ?? {},
      call: options.call ?? (() => Promise.reject(new Error('no server answers in this test'))),
      pool,
      idType,
      rateLimiter,
      deleteUser: async ({ userId, eventData, check }) => {
        const isDeleted = await deleteUser(pool, runDeletion, { userId, check });
        if (isDeleted) await options.hooks?.emit?.('user.deleted', eventData);
        return isDeleted;
      },
      log: (entry) => log.push(entry),
      ...(options.generateUsername && { generateUsername: options.generateUsername }),
    });
  const auth = await build(options.settings ?? {});

  async function send(method: string, path: string, ask: Ask): Promise<Reply> {
    const url = new URL(`/api/auth${path}`, ask.url ?? baseUrl);
    const request = new Request(url, {
      method,
      headers: {
        ...(ask.body !== undefined && { 'content-type': 'application/json' }),
        ...ask.headers,
      },
      ...(ask.body !== undefined && {
        body: typeof ask.body === 'string' ? ask.body : JSON.stringify(ask.body),
      }),
    });
    const context = { ip: ask.ip ?? '203.0.113.1', requestId: 'request-1' };
    const response = await (ask.via ?? auth).handle(engineRequest(request), context);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? true;
    const body: unknown = text === '' ? undefined : isJson ? JSON.parse(text) : text;
    return { status: response.status, headers: response.headers, body };
  }

  return {
    auth,
    secret,
    pool,
    runDeletion,
    deleteUser: (userId) => deleteUser(pool, runDeletion, { userId }),
    log,
    mails,
    texts,
    rebuild: build,
    get: (path, ask = {}) => send('GET', path, ask),
    post: (path, ask = {}) => send('POST', path, ask),
    sql: async (text, values = []) => (await admin.query(text, [...values])).rows,
    async close() {
      await Promise.all([pool.end(), admin.end()]);
      await copy.drop();
    },
  };
}

/** A request as the engine takes it. */
export function engineRequest(request: Request): EngineRequest {
  const { method, url, headers } = request;
  return { method, url, headers, readText: () => request.text() };
}

/** The session cookie that an answer sets, as `name=value`. */
export function cookieOf(reply: Reply): string {
  const cookie = reply.headers.getSetCookie().find((line) => line.includes('session_token='));
  if (cookie === undefined) throw new Error('the answer sets no session cookie');
  return cookie.split(';')[0] ?? '';
}

export const password = 'correct horse';

/** Signs up and answers the token. */
export async function signUp(project: AuthProject, email: string, ask: Ask = {}): Promise<Reply> {
  const reply = await project.post('/sign-up/email', {
    ...ask,
    body: { email, password, ...(typeof ask.body === 'object' && ask.body) },
  });
  if (reply.status !== 200) throw new Error(`sign-up failed: ${JSON.stringify(reply.body)}`);
  return reply;
}

/** What the engine stores of the identifier of a one-time value. */
export function storedIdentifier(identifier: string): string {
  return createHash('sha256').update(identifier).digest('base64url');
}
