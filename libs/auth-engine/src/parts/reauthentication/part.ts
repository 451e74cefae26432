// A new password of the signed-in user: with the old one, with a code that was sent for it, or without
// anything when the account has none yet and the sign-in was just now.
import { randomInt } from 'node:crypto';
import type { AuthContext, BetterAuthPlugin } from 'better-auth';
import { sensitiveSessionMiddleware } from 'better-auth/api';
import { fail } from '#libs/errors';
import { endpoint } from '../../endpoint.js';
import { addressHeader, type AuthConfig } from '../../auth-config.js';
import { violates } from '../../auth-errors.js';
import { requiredText, textField } from '../../fields.js';
import { queryRows } from '../../engine-pool.js';
import { countGuess, isKnownNetwork, sentCodeRule } from '../../guesses.js';
import { guessable, guessValue, keepValue } from '../../one-time-values.js';
import { type AuthPart, write } from '../../part.js';
import { createPasswordPolicy, type HashChosen } from '../../passwords/policy.js';
import { isStandInAddress } from '../../sign-up-policy.js';
import { inMinutes } from '../../send-mail-quietly.js';
import { userView } from '../../views.js';
import { codeDigest } from '../email-otp/codes.js';
import { passwordChanged } from '../password-changed/part.js';

const nonceLifeSeconds = 300;
const nonceDigits = 6;
const maxGuesses = 3;

/** The change of a password by its owner. */
export const reauthentication: AuthPart = {
  name: 'reauthentication',
  neededSettings: ['auth.methods.emailPassword.enabled'],
  routes: {
    '/reauthenticate': {
      ...write,
      summary: 'Ask for a code that confirms a new password',
      fields: '',
      answer: 'Done',
      needsSession: true,
      limit: 'sendEmail',
    },
    '/update-password': {
      ...write,
      summary: 'Set a new password with the old one or a code',
      fields: 'newPassword! currentPassword+ nonce',
      answer: 'DoneWithUser',
      needsSession: true,
      limit: 'verifyCode',
      addsAccess: true,
      needsSecondFactor: true,
    },
  },
  build: (config) => {
    const { enabled } = config.settings['auth.methods.emailPassword'];
    return enabled ? { plugins: [reauthenticationPlugin(config)] } : undefined;
  },
};

function reauthenticationPlugin(config: AuthConfig): BetterAuthPlugin {
  return {
    id: 'platform-reauthentication',
    endpoints: { reauthenticate: reauthenticate(config), updatePassword: updatePassword(config) },
  };
}

/** The user of a session as the engine knows it. */
interface Holder {
  readonly id: string;
  readonly email: string;
}

function reauthenticate(config: AuthConfig) {
  const { messages, pool, secret } = config;
  return endpoint(
    '/reauthenticate',
    { method: 'POST', use: [sensitiveSessionMiddleware], requireHeaders: true },
    async (ctx) => {
      const { user } = ctx.context.session;
      refuseGuest(user);
      if (isStandInAddress(user.email)) {
        const reason = 'this account has no address that mail reaches';
        throw fail('INVALID_INPUT', { field: 'email', reason });
      }
      const code = String(randomInt(10 ** nonceDigits)).padStart(nonceDigits, '0');
      await keepValue(pool, {
        identifier: nonceIdentifier(user),
        value: guessable(nonceDigest(secret, user, code)),
        expiresInSeconds: nonceLifeSeconds,
      });
      await messages.mail({
        kind: 'reauthenticate',
        to: user.email,
        values: { code, expiresInMinutes: inMinutes(nonceLifeSeconds) },
      });
      return ctx.json({ status: true });
    },
  );
}

function updatePassword(config: AuthConfig) {
  const hashChosen = createPasswordPolicy(config);
  return endpoint(
    '/update-password',
    { method: 'POST', use: [sensitiveSessionMiddleware], requireHeaders: true },
    async (ctx, body) => {
      const { user, session } = ctx.context.session;
      refuseGuest(user);
      const change: Change = {
        newPassword: requiredText(body, 'newPassword'),
        currentPassword: textField(body, 'currentPassword'),
        nonce: textField(body, 'nonce'),
        isFresh: isFresh(ctx.context, session.createdAt),
        ip: ctx.headers?.get(addressHeader) ?? '',
      };
      await changePassword({ config, context: ctx.context, hashChosen }, user, change);
      await queryRows(config.pool, 'delete from auth.session where "userId" = $1 and id <> $2', [
        user.id,
        session.id,
      ]);
      await passwordChanged(config, user);
      return ctx.json({ status: true, user: userView(user) });
    },
  );
}

interface Change {
  readonly newPassword: string;
  readonly currentPassword: string | undefined;
  readonly nonce: string | undefined;
  /** Whether the sign-in was recent enough to replace a password. */
  readonly isFresh: boolean;
  /** The client's address. */
  readonly ip: string;
}

interface Work {
  readonly config: AuthConfig;
  readonly context: AuthContext;
  readonly hashChosen: HashChosen;
}

async function changePassword(work: Work, user: Holder, change: Change): Promise<void> {
  const { context, hashChosen } = work;
  const account = await context.internalAdapter.findCredentialAccount(user.id);
  const current = account?.password ?? undefined;
  if (current === undefined && !change.isFresh) throw fail('SESSION_NOT_FRESH');
  const isProvenByNonce = current !== undefined && change.currentPassword === undefined;
  if (isProvenByNonce && change.nonce === undefined) {
    throw fail('REAUTHENTICATION_REQUIRED');
  }
  if (current !== undefined && change.currentPassword !== undefined) {
    const given = { hash: current, password: change.currentPassword };
    if (!(await context.password.verify(given))) throw fail('INVALID_PASSWORD');
  }
  // A code is spent only when everything else is right.
  const hash = await hashChosen(change.newPassword);
  if (isProvenByNonce) await spendNonce(work.config, user, change);
  if (account) await context.internalAdapter.updateAccount(account.id, { password: hash });
  else await addPassword(context, user, hash);
}

async function spendNonce(
  { pool, secret, rateLimiter }: AuthConfig,
  user: Holder,
  { nonce = '', ip }: Change,
): Promise<void> {
  const digest = nonceDigest(secret, user, nonce);
  const identifier = nonceIdentifier(user);
  const { takeBack } = await countGuess(rateLimiter, {
    key: `wrong:${identifier}`,
    ip,
    rule: sentCodeRule,
    isExempt: () => isKnownNetwork(pool, { column: 'id', value: user.id }, ip),
  });
  if (!(await guessValue(pool, { identifier, digest, maxGuesses }))) {
    throw fail('INVALID_CODE');
  }
  await takeBack();
}

async function addPassword(context: AuthContext, user: Holder, hash: string): Promise<void> {
  try {
    await context.internalAdapter.linkAccount({
      userId: user.id,
      providerId: 'credential',
      accountId: user.id,
      password: hash,
    });
  } catch (error) {
    if (!violates(error, 'account_providerId_accountId_key')) throw error;
    throw fail('CONFLICT', { reason: 'the account has got a password meanwhile' });
  }
}

function refuseGuest(user: Readonly<Record<string, unknown>>): void {
  if (user['isAnonymous'] === true) throw fail('PERMANENT_ACCOUNT_REQUIRED');
}

function isFresh({ sessionConfig }: AuthContext, createdAt: Date): boolean {
  return Date.now() - createdAt.getTime() < sessionConfig.freshAge * 1000;
}

function nonceIdentifier({ id }: Holder): string {
  return `reauthenticate:${id}`;
}

function nonceDigest(secret: string, { id }: Holder, nonce: string): string {
  return codeDigest(secret, `${id}:${nonce}`);
}
