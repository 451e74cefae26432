/** Administration of users. Requires the secret key: with any other key the server answers 401. */
import { isRecord } from '../json.js';
import type { Factor } from './mfa.js';
import { isUser, type SessionUser } from './session.js';
import { invalidInput } from '../error.js';
import { answered, attempt, type AuthAnswer, needTexts, type Wire } from './wire.js';

export interface ListUsersParams {
  /** Counted from 1. */
  readonly page?: number;
  readonly perPage?: number;
  /** A part of an address, a name or a user name. */
  readonly search?: string;
  readonly [filter: string]: string | number | boolean | undefined;
}

export interface UserList {
  readonly users: readonly SessionUser[];
  readonly total: number;
  /** Null on the last page. */
  readonly nextPage: number | null;
  readonly lastPage: number;
}

export interface NoUsers {
  readonly users: readonly [];
}

export interface AdminUserAttributes {
  readonly email?: string;
  readonly password?: string;
  readonly role?: 'USER' | 'ADMIN';
  readonly name?: string;
  readonly username?: string;
  readonly image?: string;
  readonly status?: string;
  readonly user_metadata?: Readonly<Record<string, unknown>>;
  readonly app_metadata?: Readonly<Record<string, unknown>>;
}

export interface InviteOptions {
  /** The final target of the link. Default: the site of the project. */
  readonly redirectTo?: string;
  /**
   * The result of opening the link: a `code` in the address, which `getSessionFromUrl` exchanges for a session (the
   * default), or a `cookie` for pages at the project's own address.
   */
  readonly flow?: 'code' | 'cookie';
  /** The user's `user_metadata`. */
  readonly data?: Readonly<Record<string, unknown>>;
}

export interface GenerateLinkParams {
  readonly type: 'signup' | 'invite' | 'magiclink' | 'recovery';
  readonly email: string;
  /** For `signup`. */
  readonly password?: string;
  readonly options?: InviteOptions;
}

export interface LinkProperties {
  /** Absent for `recovery`, which uses a code. */
  readonly action_link?: string | null;
  readonly email_otp?: string | null;
  readonly [field: string]: unknown;
}

export interface AdminUserData {
  readonly user: SessionUser | null;
  /** Only `getUserById` returns it. */
  readonly sessions?: readonly Readonly<Record<string, unknown>>[];
  /** Only `getUserById` returns it. */
  readonly identities?: readonly Readonly<Record<string, unknown>>[];
}

type UserAnswer = Promise<AuthAnswer<AdminUserData, { readonly user: null }>>;

/** The server's answer for a link: its fields beside the user, or in an object of their own. */
interface LinkAnswer extends LinkProperties {
  readonly user?: SessionUser;
  readonly properties?: LinkProperties;
}

const linkTypes: readonly unknown[] = ['signup', 'invite', 'magiclink', 'recovery'];
const defaultPerPage = 50;
/** Clients keep sessions themselves: a cookie would sign in no one. */
const defaultFlow = 'code';

/** The second factors of other users. */
export class AdminMfaClient {
  readonly #wire: Wire;

  /** @internal Created by the client. */
  constructor(wire: Wire) {
    this.#wire = wire;
  }

  listFactors(params: {
    readonly userId: string;
  }): Promise<AuthAnswer<{ readonly factors: readonly Factor[] }>> {
    return attempt(async () => {
      type Listed = readonly Factor[] | { readonly factors: readonly Factor[] };
      const answer = await this.#wire.get<Listed>(`${segment(params.userId)}/factors`);
      return 'factors' in answer ? { factors: answer.factors } : { factors: answer };
    });
  }

  /** Removes a user's second factor, for a user who has lost it. */
  deleteFactor(params: {
    readonly userId: string;
    readonly id: string;
  }): Promise<AuthAnswer<{ readonly id: string }>> {
    return attempt(async () => {
      const { userId, id } = params;
      await this.#wire.call('DELETE', `${segment(userId)}/factors${segment(id)}`);
      return { id };
    });
  }
}

export class AdminClient {
  readonly mfa: AdminMfaClient;
  readonly #wire: Wire;

  /** @internal Created by the client. */
  constructor(wire: Wire) {
    this.#wire = wire;
    this.mfa = new AdminMfaClient(wire);
  }

  /** Returns one page of the users that match the search. */
  listUsers(params: ListUsersParams = {}): Promise<AuthAnswer<UserList, NoUsers>> {
    return answered(
      async () => {
        const answer = await this.#wire.get<Pick<UserList, 'users' | 'total'>>('', params);
        const { page = 1, perPage = defaultPerPage } = params;
        const lastPage = Math.max(1, Math.ceil(answer.total / perPage));
        return { ...answer, lastPage, nextPage: page < lastPage ? page + 1 : null };
      },
      { users: [] },
    );
  }

  /** Returns a user with everything that administrators can see, such as sessions and identities. */
  getUserById(id: string): UserAnswer {
    return this.#user(() => this.#wire.get(segment(id)));
  }

  createUser(attributes: AdminUserAttributes & { readonly email: string }): UserAnswer {
    return this.#user(async () => {
      needTexts({ email: attributes.email });
      return this.#wire.post('', attributes);
    });
  }

  /** Changes the given fields. A new password is set first. */
  updateUserById(id: string, attributes: AdminUserAttributes): UserAnswer {
    return this.#user(async () => {
      const path = segment(id);
      const { password, ...rest } = attributes;
      if (password !== undefined) await this.#wire.post(`${path}/reset-password`, { password });
      if (Object.keys(rest).length === 0) return this.#wire.get(path);
      return (await this.#wire.call('PATCH', path, { body: rest })).data;
    });
  }

  /** Ends every session of a user. */
  signOut(id: string): Promise<AuthAnswer<null>> {
    return attempt(async () => {
      await this.#wire.call('DELETE', `${segment(id)}/sessions`);
      return null;
    });
  }

  deleteUser(id: string): UserAnswer {
    return this.#user(async () => (await this.#wire.call('DELETE', segment(id))).data);
  }

  /** Creates an account and sends a link to it by mail. */
  inviteUserByEmail(email: string, options: InviteOptions = {}): UserAnswer {
    return this.#user(async () => {
      needTexts({ email });
      return this.#wire.post('/invite', { email, flow: defaultFlow, ...options });
    });
  }

  /**
   * Creates the content of a mail, to be sent in another way: a link, or for `recovery` a code. Links that change an
   * address do not exist.
   */
  generateLink(
    params: GenerateLinkParams,
  ): Promise<
    AuthAnswer<
      { readonly properties: LinkProperties; readonly user: SessionUser | null },
      { readonly properties: null; readonly user: null }
    >
  > {
    return answered(
      async () => {
        const { type, email, password, options } = params;
        if (!linkTypes.includes(type)) throw invalidInput(`type: ${type} links are not supported`);
        needTexts({ email });
        const body = { type, email, password, flow: defaultFlow, ...options };
        const answer = await this.#wire.post<LinkAnswer>('/generate-link', body);
        const { user = null, properties, ...rest } = answer;
        return { user, properties: properties ?? rest };
      },
      { properties: null, user: null },
    );
  }

  #user(work: () => Promise<unknown>): UserAnswer {
    return answered(
      async () => {
        const answer = await work();
        // Answers with more fields contain the user as a field; short ones are the user.
        if (isUser(answer)) return { user: answer };
        const user = isRecord(answer) && isUser(answer['user']) ? answer['user'] : null;
        return { ...(isRecord(answer) && answer), user };
      },
      { user: null },
    );
  }
}

/**
 * An id as a part of the path.
 * @throws RowhouseError for a text that would lead to another path
 */
function segment(id: string): string {
  needTexts({ id });
  if (id === '.' || id === '..') throw invalidInput('id: not a valid id');
  return `/${encodeURIComponent(id)}`;
}
