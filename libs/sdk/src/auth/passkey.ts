/** Passkeys: the page's authenticator creates and uses them, the server verifies them (WebAuthn Level 2). */
import { page } from '../page.js';
import { type CredentialOptions, readableOptions, sendableCredential } from './webauthn.js';
import { type AuthParts, completeSignIn, signedOut, type SignInAnswer } from './sign-in-answer.js';
import {
  answered,
  attempt,
  type AuthAnswer,
  localError,
  needTexts,
  type Wire,
  type WireReply,
} from './wire.js';

/** Connects the two requests of a ceremony for clients without cookies. */
const challengeHeader = 'x-challenge-token';

export interface Passkey {
  readonly id: string;
  readonly name: string | null;
  readonly deviceType?: string;
  readonly backedUp?: boolean;
  readonly createdAt?: string | null;
  readonly [field: string]: unknown;
}

export interface PasskeyInput {
  readonly name?: string;
  /** Where the passkey may be stored: on the device itself, or on a separate authenticator. Default: either. */
  readonly authenticatorAttachment?: 'platform' | 'cross-platform';
}

export class PasskeyClient {
  readonly #parts: AuthParts;

  /** @internal Created by the client. */
  constructor(parts: AuthParts) {
    this.#parts = parts;
  }

  /** Adds a passkey to the signed-in user. */
  register({ name, authenticatorAttachment }: PasskeyInput = {}): Promise<AuthAnswer<Passkey>> {
    return attempt(async () => {
      const { data } = await this.#ceremony<Passkey>(this.#parts.asUser, {
        kind: 'create',
        optionsPath: '/passkey/generate-register-options',
        query: { name, authenticatorAttachment },
        verifyPath: '/passkey/verify-registration',
        more: { name },
      });
      return data;
    });
  }

  /** Signs in with a passkey that the user selects. */
  signIn(): Promise<SignInAnswer> {
    return answered(async () => {
      const reply = await this.#ceremony<unknown>(this.#parts.asVisitor, {
        kind: 'get',
        optionsPath: '/passkey/generate-authenticate-options',
        verifyPath: '/passkey/verify-authentication',
      });
      return completeSignIn(this.#parts.source, reply);
    }, signedOut);
  }

  /** The passkeys of the signed-in user. */
  list(): Promise<AuthAnswer<readonly Passkey[]>> {
    return attempt(() => this.#parts.asUser.get('/passkey/list-user-passkeys'));
  }

  /** Renames a passkey. */
  update(change: {
    readonly id: string;
    readonly name: string;
  }): Promise<AuthAnswer<{ readonly passkey: Passkey }>> {
    return attempt(async () => {
      const { id, name } = change;
      needTexts({ id, name });
      return this.#parts.asUser.post('/passkey/update-passkey', { id, name });
    });
  }

  delete({ id }: { readonly id: string }): Promise<AuthAnswer<{ readonly status: boolean }>> {
    return attempt(async () => {
      needTexts({ id });
      return this.#parts.asUser.post('/passkey/delete-passkey', { id });
    });
  }

  async #ceremony<Data>(wire: Wire, ceremony: Ceremony): Promise<WireReply<Data>> {
    const { kind, optionsPath, query = {}, verifyPath, more } = ceremony;
    const credentials = page.navigator?.credentials;
    if (!credentials) {
      throw localError('WEBAUTHN_UNAVAILABLE', 'Passkeys need a browser, and a page over HTTPS');
    }
    const { data, headers } = await wire.call<CredentialOptions>('GET', optionsPath, { query });
    const publicKey = readableOptions(data);
    const response = await credentials[kind]({ publicKey }).then(sendableCredential, notGiven);
    const token = headers.get(challengeHeader);
    return wire.call('POST', verifyPath, {
      body: { response, ...more },
      ...(token !== null && { headers: { [challengeHeader]: token } }),
    });
  }
}

interface Ceremony {
  readonly kind: 'create' | 'get';
  readonly optionsPath: string;
  readonly query?: object;
  readonly verifyPath: string;
  readonly more?: object;
}

/** The user has cancelled or waited too long, or the authenticator cannot do it: browsers report the same error. */
function notGiven(thrown: unknown): never {
  const { message } = thrown instanceof Error ? thrown : new Error(String(thrown));
  throw localError('PASSKEY_NOT_GIVEN', message, thrown);
}
