/** What signed-in users can do with their own account. */
import { isRecord, parseJson } from '../json.js';
import { decodeBytes } from './base64url.js';
import { flowHeader } from './redirect-flow.js';
import { oauthBody, type OAuthCredentials, type OAuthData, RedirectMethods } from './redirects.js';
import type { SessionUser } from './session.js';
import { keepUser, type NoSession, signedOut, tokenOf } from './sign-in-answer.js';
import { invalidInput } from '../error.js';
import { attempt, answered, type AuthAnswer, needTexts, noSession } from './wire.js';

export interface UserAttributes {
  /** Makes a guest permanent. The address of a permanent user cannot change. */
  readonly email?: string;
  /** Sends a code to the number; `verifyOtp` with the type `phone_change` verifies it. */
  readonly phone?: string;
  /** Requires `currentPassword` or a `nonce`, unless it is the user's first password. */
  readonly password?: string;
  readonly currentPassword?: string;
  /** An alias of `currentPassword`. */
  readonly current_password?: string;
  /** The code from the mail of `reauthenticate`. */
  readonly nonce?: string;
  readonly name?: string;
  readonly username?: string;
  readonly image?: string;
  /** The user's `user_metadata`. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A sign-in method of a user: a password, or an account at a provider. */
export interface UserIdentity {
  /** Identifies it for `unlinkIdentity`. */
  readonly identity_id: string;
  /** Its id at the provider. */
  readonly id: string;
  readonly user_id: string;
  /** `credential` for a password. */
  readonly provider: string;
  readonly scopes?: readonly string[];
  readonly created_at?: string;
  readonly updated_at?: string;
}

/** An account as the server lists it. */
interface AccountRow {
  readonly id: string;
  readonly accountId: string;
  readonly userId: string;
  readonly providerId: string;
  readonly scopes?: readonly string[];
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

export interface ClaimsData {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly header: Readonly<Record<string, unknown>>;
  readonly signature: Uint8Array;
  /** The JWT itself, for other services. */
  readonly token: string;
}

export class AccountMethods extends RedirectMethods {
  /**
   * Changes the signed-in user: first the address, then the password, then the rest. It stops at the first change that
   * the server refuses; earlier changes remain.
   */
  updateUser(
    attributes: UserAttributes,
  ): Promise<AuthAnswer<{ readonly user: SessionUser | null }, { readonly user: null }>> {
    return answered(
      async () => {
        const { source, asUser } = this.parts;
        if (!(await source.find())) throw noSession();
        const calls = callsFor(attributes);
        if (calls.length === 0) throw invalidInput('Give something to change');
        for (const [path, body] of calls) {
          // Each call needs the session that the previous call has returned.
          const answer = await asUser.post(path, body);
          await this.#followSession(answer);
        }
        const { user } = await keepUser(source);
        return { user };
      },
      { user: null },
    );
  }

  /** Sends the signed-in user a code by mail, which `updateUser` accepts as `nonce` instead of the password. */
  reauthenticate(): Promise<AuthAnswer<NoSession, NoSession>> {
    return answered(async () => {
      await this.parts.asUser.post('/reauthenticate');
      return signedOut;
    }, signedOut);
  }

  /** Deletes the signed-in user. Requires a recent sign-in, or the password. */
  deleteUser({ password }: { readonly password?: string } = {}): Promise<
    AuthAnswer<NoSession, NoSession>
  > {
    return answered(async () => {
      await this.parts.asUser.post('/delete-user', { password });
      await this.parts.source.clear();
      return signedOut;
    }, signedOut);
  }

  /** The sign-in methods of the signed-in user. */
  getUserIdentities(): Promise<AuthAnswer<{ readonly identities: UserIdentity[] }>> {
    return attempt(async () => {
      const rows = await this.parts.asUser.get<readonly AccountRow[]>('/list-accounts');
      return { identities: rows.map(identityOf) };
    });
  }

  /** Links an account at a provider to the signed-in user: opens the provider's page, which redirects back here. */
  linkIdentity(credentials: OAuthCredentials): Promise<AuthAnswer<OAuthData>> {
    return attempt(async () => {
      const { provider, options } = credentials;
      needTexts({ provider });
      const body = oauthBody(provider, options);
      const how = { headers: flowHeader, options, asUser: true };
      return { provider, url: await this.redirect('/link-social', body, how) };
    });
  }

  /** Removes a sign-in method. The last one cannot be removed. */
  unlinkIdentity(
    identity: Pick<UserIdentity, 'identity_id'>,
  ): Promise<AuthAnswer<Readonly<Record<string, never>>>> {
    return attempt(async () => {
      needTexts({ identity_id: identity.identity_id });
      await this.parts.asUser.post('/unlink-account', { accountId: identity.identity_id });
      return {};
    });
  }

  /**
   * The claims of the session's JWT, or of a given JWT. They are decoded, not verified: to trust a JWT, verify it
   * against `/api/auth/jwks`.
   */
  getClaims(jwt?: string): Promise<AuthAnswer<ClaimsData>> {
    return attempt(async () => {
      const mint = () => this.parts.asUser.get<{ readonly token: string }>('/token');
      return readJwt(jwt ?? (await mint()).token);
    });
  }

  /** A change may end the session and begin another one. */
  async #followSession(answer: unknown): Promise<void> {
    const token = tokenOf(answer);
    const session = await this.parts.source.find();
    if (token === undefined || !session || session.access_token === token) return;
    await this.parts.source.store({ ...session, access_token: token, accessToken: token });
  }
}

type Call = readonly [path: string, body: object];

function callsFor(attributes: UserAttributes): Call[] {
  const { email, phone, password, nonce, name, username, image, data } = attributes;
  const currentPassword = attributes.currentPassword ?? attributes.current_password;
  const calls: Call[] = [];
  if (email !== undefined) calls.push(['/upgrade-anonymous', { email, password }]);
  else if (password !== undefined) {
    calls.push(['/update-password', { newPassword: password, currentPassword, nonce }]);
  }
  if (phone !== undefined) calls.push(['/phone-number/send-otp', { phoneNumber: phone }]);
  const rest = { name, username, image, data };
  if (Object.values(rest).some((value) => value !== undefined)) calls.push(['/update-user', rest]);
  return calls;
}

function identityOf({ id, accountId, userId, providerId, ...row }: AccountRow): UserIdentity {
  return {
    identity_id: id,
    id: accountId,
    user_id: userId,
    provider: providerId,
    ...(row.scopes && { scopes: row.scopes }),
    ...(row.createdAt !== undefined && { created_at: row.createdAt }),
    ...(row.updatedAt !== undefined && { updated_at: row.updatedAt }),
  };
}

function readJwt(token: string): ClaimsData {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const part = (text: string) => {
    const value = parseJson(new TextDecoder().decode(decodeBytes(text)));
    if (!isRecord(value)) throw invalidInput('The token is not a JWT');
    return value;
  };
  return { header: part(header), claims: part(claims), signature: decodeBytes(signature), token };
}
