import { type LoginKind, namesOf } from '../../libs/control-plane/src/provisioning/names.js';

import { type Call, type Reply, send } from './http.js';
import { bearer } from './replies.js';

interface ProjectParts {
  readonly ref: string;
  readonly apiOrigin: string;
  readonly publishableKey: string;
  readonly secretKey: string;
  readonly databaseUrl: string;
}

/** A user of a project with a live session. */
export interface SignedIn {
  readonly id: string;
  readonly email: string;
  /** The session token, to be sent as bearer. */
  readonly token: string;
  /** The session cookie as a browser would send it. */
  readonly cookie: string;
}

export const userPassword = 'correct horse battery';

/** One project as its users and administrators meet it. */
export class ProjectUnderTest {
  readonly ref: string;
  readonly host: string;
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly databaseUrl: string;
  readonly apiOrigin: string;
  /** The name of its database on the server. */
  readonly database: string;

  constructor(parts: ProjectParts) {
    this.ref = parts.ref;
    this.host = `${parts.ref}.localhost`;
    this.apiOrigin = parts.apiOrigin;
    this.secretKey = parts.secretKey;
    this.publishableKey = parts.publishableKey;
    this.databaseUrl = parts.databaseUrl;
    this.database = new URL(parts.databaseUrl).pathname.slice(1);
  }

  /** The name of one of its logins. */
  login(kind: LoginKind): string {
    return namesOf(this.databaseId)[kind];
  }

  /** What the names on the server are made of. */
  get databaseId(): string {
    return this.database.slice('p_'.length);
  }

  /** The same project as another process of the deployment serves it. */
  through(apiOrigin: string): ProjectUnderTest {
    return new ProjectUnderTest({ ...this, apiOrigin });
  }

  /** A request without any credential but what `call` brings. */
  send(call: Call): Promise<Reply> {
    return send(this.apiOrigin, { ...call, headers: { host: this.host, ...call.headers } });
  }

  /** A request with the session of `user`. */
  as(user: SignedIn, call: Call): Promise<Reply> {
    return this.send({
      ...call,
      headers: { ...bearer(user), ...call.headers },
    });
  }

  /** A request with the secret key. */
  asService(call: Call): Promise<Reply> {
    return this.send({ ...call, headers: { apikey: this.secretKey, ...call.headers } });
  }

  /** Runs SQL as the owner of the project. Throws when it fails. */
  async sql(query: string, params?: readonly unknown[]): Promise<Record<string, unknown>[]> {
    const body = params === undefined ? { query } : { query, params };
    const reply = await this.asService({ method: 'POST', path: '/api/admin/sql', body });
    if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
    // The route's answer has these rows; the test reads their fields as unknown.
    return (reply.body as { readonly rows: Record<string, unknown>[] }).rows;
  }

  /** Signs a new user up. */
  async signUp(email: string): Promise<SignedIn> {
    const reply = await this.send({
      method: 'POST',
      path: '/api/auth/sign-up/email',
      body: { email, password: userPassword },
    });
    if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
    const { token, user } = reply.body as { readonly token: string; readonly user: { id: string } };
    const cookie = reply.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    return { id: user.id, email, token, cookie };
  }
}
