// The three kinds of codes that complete a sign-in or raise a session: of the app, sent, and backup codes.
import type { AuthContext, GenericEndpointContext } from 'better-auth';
import { setSessionCookie } from 'better-auth/cookies';
import { symmetricDecrypt } from 'better-auth/crypto';
import { fail } from '#libs/errors';
import { endpoint } from '../../endpoint.js';
import { addressHeader, type AuthConfig } from '../../auth-config.js';
import { flagField, requiredText } from '../../fields.js';
import { countFactorGuess } from './attempts.js';
import { backupCodeDigest } from './backup-codes.js';
import { takeChallenge } from './challenge.js';
import {
  claimStep,
  confirmFactor,
  findFactor,
  raiseSession,
  spendBackupCode,
  type Factor,
} from './factor.sql.js';
import { findHolder, type Holder } from './holder.js';
import { guessSentCode } from './sent-codes.js';
import { stepsOfCode } from './totp.js';
import { trustDevice } from './trusted-devices.js';

interface Guess {
  readonly config: AuthConfig;
  readonly context: AuthContext;
  readonly holder: Holder;
  readonly factor: Factor;
  readonly code: string;
}

/** Returns whether a code is right. A right one is spent. */
type CheckCode = (guess: Guess) => Promise<boolean>;

const CHECKS = {
  totp: async ({ config, context, factor, code }) => {
    const secret = await openSecret(context, factor);
    const steps = stepsOfCode(secret, code.replaceAll(' ', ''), Date.now());
    return steps.length > 0 && claimStep(config.pool, factor.id, steps);
  },
  otp: ({ config, holder, code }) => guessSentCode(config, holder, code),
  'backup-code': ({ config, holder, factor, code }) => {
    const digest = backupCodeDigest(config, { userId: holder.userId, code });
    return spendBackupCode(config.pool, { factorId: factor.id, digest });
  },
} as const satisfies Record<string, CheckCode>;

/**
 * Takes a code. The first one of an app that was just set up turns the factor on. Refuses with
 * CHALLENGE_EXPIRED, SECOND_FACTOR_NOT_ENABLED, RATE_LIMITED, INVALID_CODE.
 */
export function verifySecondFactor(config: AuthConfig, kind: keyof typeof CHECKS) {
  const check: CheckCode = CHECKS[kind];
  const path = `/two-factor/verify-${kind}` as const;
  return endpoint(path, { method: 'POST', requireHeaders: true }, async (ctx, body) => {
    const code = requiredText(body, 'code');
    const wantsTrust = flagField(body, 'trustDevice');
    const holder = await findHolder(config.pool, ctx);
    const factor = await findFactor(config.pool, holder.userId);
    const mayTry = factor?.isVerified || kind === 'totp';
    if (!factor || !mayTry) throw fail('SECOND_FACTOR_NOT_ENABLED');
    const takeBack = await countFactorGuess(config, {
      factorId: factor.id,
      holder,
      ip: ctx.headers?.get(addressHeader) ?? '',
      isSent: kind === 'otp',
    });
    const guess: Guess = { config, context: ctx.context, holder, factor, code };
    if (!(await check(guess))) throw fail('INVALID_CODE');
    await takeBack();
    const token = await completed(config, ctx, holder, factor);
    const trustToken = wantsTrust ? await trustDevice(config, ctx, holder.userId) : undefined;
    const user = await ctx.context.internalAdapter.findUserById(holder.userId);
    return ctx.json({ token, user, ...(trustToken !== undefined && { trustToken }) });
  });
}

/** Throws SECOND_FACTOR_UNREADABLE for a secret that was damaged or sealed with another key. */
async function openSecret({ secretConfig }: AuthContext, { id, secret }: Factor): Promise<string> {
  try {
    return await symmetricDecrypt({ key: secretConfig, data: secret });
  } catch (error) {
    const message = `The secret of the second factor ${id} (auth."twoFactor") cannot be opened`;
    const cause = new Error(message, { cause: error });
    throw fail('SECOND_FACTOR_UNREADABLE', {}, { cause });
  }
}

/** The token of the session that the code has opened or raised. */
async function completed(
  config: AuthConfig,
  ctx: GenericEndpointContext,
  holder: Holder,
  factor: Factor,
): Promise<string> {
  if (holder.kind === 'signIn') return openSession(config, ctx, holder);
  if (factor.isVerified) {
    await raiseSession(config.pool, holder.id);
  } else {
    const isConfirmed = await confirmFactor(config.pool, {
      factorId: factor.id,
      sessionId: holder.id,
    });
    if (!isConfirmed) throw fail('INVALID_CODE');
    await config.hooks.emit?.('mfa.enabled', { userId: holder.userId, method: 'totp' });
  }
  return holder.session.token;
}

async function openSession(
  { pool }: AuthConfig,
  ctx: GenericEndpointContext,
  challenge: Extract<Holder, { kind: 'signIn' }>,
): Promise<string> {
  if (!(await takeChallenge(pool, ctx, challenge))) throw fail('CHALLENGE_EXPIRED');
  const { internalAdapter } = ctx.context;
  const { userId, isRemembered } = challenge;
  const session = await internalAdapter.createSession(userId, !isRemembered, { aal: 'aal2' });
  const user = await internalAdapter.findUserById(userId);
  if (!user) throw fail('CHALLENGE_EXPIRED');
  await setSessionCookie(ctx, { session, user }, !isRemembered);
  return session.token;
}
