/** The second factor: a TOTP app, codes by mail or SMS, and backup codes. */
import { invalidInput } from '../error.js';
import type { Session } from './session.js';
import {
  completeSignIn,
  type AuthParts,
  liveSession,
  mfaHeader,
  signedOut,
  rememberDevice,
  type SignInAnswer,
  tokenOf,
} from './sign-in-answer.js';
import {
  answered,
  attempt,
  type AuthAnswer,
  needTexts,
  noSession,
  type WireReply,
} from './wire.js';

/** There is one TOTP factor; this is its id. */
const totpId = 'totp';

export interface Factor {
  readonly id: string;
  readonly factor_type: 'totp';
  readonly status: 'verified' | 'unverified';
}

export interface EnrolledFactor {
  readonly id: string;
  readonly type: 'totp';
  /** The secret for the app: as a URI, to be shown as a QR code, or as the bare secret. */
  readonly totp: { readonly uri: string; readonly secret: string };
  /** Each replaces a code once. They are returned only this once. */
  readonly backupCodes: readonly string[];
}

export interface MfaVerifyParams {
  readonly code: string;
  /** Whether this device needs no second factor for a while. */
  readonly trustDevice?: boolean;
  /** The kind of the code: from the app (`totp`, the default), sent by `challenge` (`otp`), or a backup code. */
  readonly type?: 'totp' | 'otp' | 'backup';
  /** Ignored: there is one factor. */
  readonly factorId?: string;
  /** Ignored: there is one challenge at a time. */
  readonly challengeId?: string;
}

interface Enrolment {
  readonly totpURI: string;
  readonly secret?: string;
  readonly backupCodes?: readonly string[];
}

const verifyPaths = {
  totp: '/two-factor/verify-totp',
  otp: '/two-factor/verify-otp',
  backup: '/two-factor/verify-backup-code',
} as const;

export class MfaClient {
  readonly #parts: AuthParts;

  /** @internal Created by the client. */
  constructor(parts: AuthParts) {
    this.#parts = parts;
  }

  /** Begins to set up a TOTP app. The factor is active after `verify` has accepted its first code. */
  enroll(params: {
    readonly password: string;
    /** The name of the issuer in the app. */
    readonly issuer?: string;
  }): Promise<AuthAnswer<EnrolledFactor>> {
    return attempt(async () => {
      const { password, issuer } = params;
      needTexts({ password });
      const body = { password, issuer };
      const answer = await this.#parts.asUser.post<Enrolment>('/two-factor/enable', body);
      const uri = answer.totpURI;
      const secret = answer.secret ?? new URL(uri).searchParams.get('secret') ?? '';
      const backupCodes = answer.backupCodes ?? [];
      return { id: totpId, type: 'totp', totp: { uri, secret }, backupCodes };
    });
  }

  /** Sends a code by mail or SMS. A TOTP app needs no challenge: then nothing is sent. */
  challenge({ channel = 'totp' }: { readonly channel?: 'totp' | 'email' | 'sms' } = {}): Promise<
    AuthAnswer<{ readonly id: string; readonly type: string }>
  > {
    return attempt(async () => {
      if (channel !== 'totp') await this.#submit('/two-factor/send-otp', { channel });
      return { id: channel, type: channel };
    });
  }

  /**
   * Verifies a code: completes a sign-in that waits for the second factor, or an enrolment, or raises the level of the
   * current session.
   */
  verify(params: MfaVerifyParams): Promise<SignInAnswer> {
    return answered(async () => {
      const { code, trustDevice, type = 'totp' } = params;
      needTexts({ code });
      const path = Object.hasOwn(verifyPaths, type) ? verifyPaths[type] : undefined;
      if (!path) throw invalidInput(`type: ${type} codes are not supported`);
      const { source } = this.#parts;
      const isSignIn = (await source.recall('mfa')) !== undefined;
      const reply = await this.#submit(path, { code, trustDevice });
      if (isSignIn) return completeSignIn(source, reply, 'second-factor');
      await rememberDevice(source, reply);
      const session = await this.#raised(tokenOf(reply.data));
      await source.keep(session, 'step-up');
      return { session, user: session.user ?? null };
    }, signedOut);
  }

  /** The factors of the signed-in user: at most one. */
  listFactors(): Promise<AuthAnswer<{ readonly all: Factor[]; readonly totp: Factor[] }>> {
    return attempt(async () => {
      const { user } = await liveSession(this.#parts.source);
      const factor: Factor = { id: totpId, factor_type: 'totp', status: 'verified' };
      const all = user?.twoFactorEnabled ? [factor] : [];
      return { all, totp: [...all] };
    });
  }

  /**
   * The current and the possible assurance level of the session. Asks the server only after a sign-in, whose answer
   * does not contain it.
   */
  getAuthenticatorAssuranceLevel(): Promise<
    AuthAnswer<{ readonly currentLevel: string | null; readonly nextLevel: string | null }>
  > {
    return attempt(async () => {
      const { source } = this.#parts;
      const kept = await source.find();
      if (!kept) return { currentLevel: null, nextLevel: null };
      const session = kept.aal === undefined ? await liveSession(source) : kept;
      if (session !== kept) await source.store(session);
      const currentLevel = session.aal ?? 'aal1';
      return { currentLevel, nextLevel: session.user?.twoFactorEnabled ? 'aal2' : currentLevel };
    });
  }

  /** Creates new backup codes. The old codes become invalid. */
  regenerateBackupCodes(params: {
    readonly password: string;
  }): Promise<AuthAnswer<{ readonly backupCodes: readonly string[] }>> {
    return attempt(async () => {
      const { password } = params;
      needTexts({ password });
      const path = '/two-factor/generate-backup-codes';
      const answer = await this.#parts.asUser.post<Enrolment>(path, { password });
      return { backupCodes: answer.backupCodes ?? [] };
    });
  }

  /** Removes the second factor. */
  unenroll(params: { readonly password: string }): Promise<AuthAnswer<{ readonly id: string }>> {
    return attempt(async () => {
      const { password } = params;
      needTexts({ password });
      const { source, asUser } = this.#parts;
      const answer = await asUser.post('/two-factor/disable', { password });
      await source.keep(await this.#raised(tokenOf(answer)), 'user-change');
      return { id: totpId };
    });
  }

  /** Sends the request for the sign-in that waits for its second factor, or else as the signed-in user. */
  async #submit(path: string, body: object): Promise<WireReply<unknown>> {
    const { source, asUser, asVisitor } = this.#parts;
    const pending = await source.recall('mfa');
    if (pending === undefined) return asUser.submit(path, body);
    return asVisitor.submit(path, body, { [mfaHeader]: pending });
  }

  /** The session after its level has changed, with its current token. */
  async #raised(token: string | undefined): Promise<Session> {
    if (!(await this.#parts.source.find())) throw noSession();
    return liveSession(this.#parts.source, token);
  }
}
