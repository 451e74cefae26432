// How a second factor comes to an account and goes, and what its owner sees of it. Changes need the password;
// taking a working factor away needs the factor itself too, or a thief of the password would not need it.
import type { AuthContext, User } from 'better-auth';
import { sensitiveSessionMiddleware } from 'better-auth/api';
import { symmetricEncrypt } from 'better-auth/crypto';
import { fail } from '#libs/errors';
import { endpoint } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { requiredText, textField } from '../../fields.js';
import { verifyPassword } from '#libs/passwords';
import { isStandInAddress } from '../../sign-up-policy.js';
import { backupCodeDigest, newBackupCodes } from './backup-codes.js';
import { addressesOf } from './channels.js';
import {
  deleteFactor,
  findFactor,
  keepEnrolment,
  replaceBackupCodes,
  type Factor,
} from './factor.sql.js';
import { newTotpSecret, totpUri } from './totp.js';

const signedIn = { use: [sensitiveSessionMiddleware], requireHeaders: true };
const signedInPost = { ...signedIn, method: 'POST' as const };
const signedInGet = { ...signedIn, method: 'GET' as const };

const passwordRule = { windowSeconds: 900, max: 10 } as const;
const maxIssuerLength = 100;

/** Begins to set up an app: its secret and the backup codes are shown this once. */
export function enable(config: AuthConfig) {
  const { backupCodes: count } = config.settings['auth.twoFactor'];
  return endpoint('/two-factor/enable', signedInPost, async (ctx, body) => {
    const { user } = ctx.context.session;
    const issuer = issuerIn(config, body);
    checkMethod(body);
    await checkPassword(config, ctx.context, user, body);
    const secret = newTotpSecret();
    const backupCodes = newBackupCodes(count);
    const isKept = await keepEnrolment(config.pool, {
      userId: user.id,
      secret: await symmetricEncrypt({ key: ctx.context.secretConfig, data: secret }),
      backupCodes: digests(config, user, backupCodes),
    });
    if (!isKept) throw fail('SECOND_FACTOR_ENABLED');
    const totpURI = totpUri({ secret, issuer, account: accountName(user) });
    return ctx.json({ method: 'totp', totpURI, secret, backupCodes });
  });
}

/** Takes the factor away, and with it trusted devices and the second level of the user's sessions. */
export function disable(config: AuthConfig) {
  return endpoint('/two-factor/disable', signedInPost, async (ctx, body) => {
    const { user, session } = ctx.context.session;
    await checkPassword(config, ctx.context, user, body);
    const factor = await findFactor(config.pool, user.id);
    if (!factor) throw fail('SECOND_FACTOR_NOT_ENABLED');
    if (factor.isVerified) requireAal2(session);
    const isDeleted = await deleteFactor(config.pool, factor.id);
    if (isDeleted && factor.isVerified) {
      await config.hooks.emit?.('mfa.disabled', { userId: user.id, method: 'totp' });
    }
    return ctx.json({ status: true, token: session.token });
  });
}

/** Makes new backup codes in the place of all old ones. */
export function regenerateBackupCodes(config: AuthConfig) {
  const { backupCodes: count } = config.settings['auth.twoFactor'];
  return endpoint('/two-factor/generate-backup-codes', signedInPost, async (ctx, body) => {
    const { user, session } = ctx.context.session;
    await checkPassword(config, ctx.context, user, body);
    const factor = await findFactor(config.pool, user.id);
    if (!factor?.isVerified) throw fail('SECOND_FACTOR_NOT_ENABLED');
    requireAal2(session);
    const backupCodes = newBackupCodes(count);
    await replaceBackupCodes(config.pool, {
      factorId: factor.id,
      backupCodes: digests(config, user, backupCodes),
    });
    return ctx.json({ status: true, backupCodes });
  });
}

/** What the user has set up, and how codes may be sent to it. */
export function status(config: AuthConfig) {
  return endpoint('/two-factor/status', signedInGet, async (ctx) => {
    const { user } = ctx.context.session;
    const factor = await findFactor(config.pool, user.id);
    const isEnabled = factor?.isVerified === true;
    const otpChannels = isEnabled ? [...(await addressesOf(config, user.id)).keys()] : [];
    const methods = [...(isEnabled ? ['totp'] : []), ...(otpChannels.length > 0 ? ['otp'] : [])];
    return ctx.json({
      enabled: isEnabled,
      methods,
      otpChannels,
      backupCodesLeft: isEnabled ? factor.backupCodesLeft : 0,
      factor: factor ? factorView(factor) : null,
    });
  });
}

function factorView({ id, isVerified, createdAt }: Factor) {
  return { id, type: 'totp', status: isVerified ? 'verified' : 'unverified', createdAt };
}

/** Throws AAL2_REQUIRED for a session that has not given the second factor. */
function requireAal2(session: Readonly<Record<string, unknown>>): void {
  if (session['aal'] !== 'aal2') throw fail('AAL2_REQUIRED');
}

/**
 * Checks the password in a body. It is compared also where sign-in with passwords is off: the engine then
 * knows no hashes of ours. Throws INVALID_PASSWORD, RATE_LIMITED.
 */
async function checkPassword(
  { limit, settings }: AuthConfig,
  { internalAdapter }: AuthContext,
  user: { readonly id: string },
  body: unknown,
): Promise<void> {
  const password = requiredText(body, 'password');
  if (settings['security.rateLimit'].enabled) {
    await limit([{ key: `confirmPassword:id:${user.id}`, rule: passwordRule }]);
  }
  const account = await internalAdapter.findCredentialAccount(user.id);
  const isRight = account?.password ? await verifyPassword(account.password, password) : false;
  if (!isRight) throw fail('INVALID_PASSWORD');
}

/** Clients of the engine name the method; there is this one. */
function checkMethod(body: unknown): void {
  if ((textField(body, 'method') ?? 'totp') === 'totp') return;
  throw fail('INVALID_INPUT', { field: 'method', reason: 'must be totp' });
}

function issuerIn({ settings, baseUrl }: AuthConfig, body: unknown): string {
  const named = textField(body, 'issuer');
  if (named !== undefined && named.length > maxIssuerLength) {
    const reason = `must have at most ${maxIssuerLength} characters`;
    throw fail('INVALID_INPUT', { field: 'issuer', reason });
  }
  return named || settings['auth.twoFactor'].issuer || new URL(baseUrl).hostname;
}

/** What the app calls the account. */
function accountName({
  email,
  name,
  id,
  ...rest
}: User & Readonly<Record<string, unknown>>): string {
  if (!isStandInAddress(email)) return email;
  const { phoneNumber, username } = rest;
  const names = [phoneNumber, username, name].filter((text) => typeof text === 'string');
  return names.find((text) => text !== '') ?? id;
}

function digests(
  config: AuthConfig,
  { id }: { readonly id: string },
  codes: readonly string[],
): readonly string[] {
  return codes.map((code) => backupCodeDigest(config, { userId: id, code }));
}
