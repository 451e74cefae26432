// Where only verified addresses sign in, a guest becomes permanent when the link in the mail is opened. Until
// then nothing changes, so that no client learns whether an address has an account.
import { originCheck } from 'better-auth/api';
import { fail, type ErrorCode } from '#libs/errors';
import { authPath, isRecord } from '#libs/wire';
import { endpoint } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { queryRows } from '../../engine-pool.js';
import { keepValue, randomToken, takeValue, tokenDigest } from '../../one-time-values.js';
import { inMinutes, sendMailQuietly } from '../../send-mail-quietly.js';
import { upgradeGuest } from './upgrade.sql.js';

/** Where the link in the mail leads. */
export const confirmPath = '/upgrade-anonymous/confirm';

interface Asked {
  readonly userId: string;
  readonly email: string;
  readonly passwordHash: string | undefined;
}

/** Sends the link with which a guest becomes permanent; nothing when the address is taken. */
export async function sendUpgradeLink(
  config: AuthConfig,
  asked: Asked,
  callbackURL: string,
): Promise<void> {
  const { pool, settings, baseUrl } = config;
  const { verificationExpiresIn } = settings['auth.methods.emailPassword'];
  const token = randomToken();
  await keepValue(pool, {
    identifier: identifierOf(token),
    value: JSON.stringify(asked),
    expiresInSeconds: verificationExpiresIn,
  });
  const taken = await queryRows(pool, 'select from auth."user" where email = $1', [asked.email]);
  if (taken.length > 0) return;
  const url = new URL(`${authPath}${confirmPath}`, baseUrl);
  url.search = new URLSearchParams({ token, callbackURL }).toString();
  await sendMailQuietly(config, {
    kind: 'verifyEmail',
    to: asked.email,
    values: { url: url.href, expiresInMinutes: inMinutes(verificationExpiresIn) },
  });
}

/** The endpoint behind the link. It leads on to the page that was named, with `error` when it fails. */
export function confirmUpgrade({ pool, hooks }: AuthConfig) {
  return endpoint(
    confirmPath,
    { method: 'GET', use: [originCheck((ctx) => ctx.query?.callbackURL)] },
    async (ctx) => {
      const query: unknown = ctx.query;
      const token: unknown = isRecord(query) ? query['token'] : undefined;
      const target: unknown = isRecord(query) ? query['callbackURL'] : undefined;
      const asked = typeof token === 'string' ? await takeAsked(pool, token) : undefined;
      const result = asked && (await upgradeGuest(pool, { ...asked, emailVerified: true }));
      if (asked && result === 'upgraded') {
        await hooks.emit?.('user.updated', { userId: asked.userId });
      }
      const problem = problemOf(result);
      if (typeof target === 'string') {
        const join = target.includes('?') ? '&' : '?';
        throw ctx.redirect(problem === undefined ? target : `${target}${join}error=${problem}`);
      }
      if (problem !== undefined) throw fail(problem);
      return ctx.json({ status: true });
    },
  );
}

function problemOf(result: 'upgraded' | 'taken' | 'no-guest' | undefined): ErrorCode | undefined {
  if (result === 'upgraded') return undefined;
  return result === 'taken' ? 'USER_ALREADY_EXISTS' : 'INVALID_CODE';
}

async function takeAsked(pool: AuthConfig['pool'], token: string): Promise<Asked | undefined> {
  const value = await takeValue(pool, identifierOf(token));
  if (value === undefined) return undefined;
  const { userId, email, passwordHash } = JSON.parse(value);
  return { userId, email, passwordHash };
}

function identifierOf(token: string): string {
  return `upgrade-guest:${tokenDigest(token)}`;
}
