import { createEmailVerificationToken, sensitiveSessionMiddleware } from 'better-auth/api';
import type { GenericEndpointContext } from 'better-auth';
import { fail } from '#libs/errors';
import { endpoint } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { requiredText, textField } from '../../fields.js';
import { createPasswordPolicy } from '../../passwords/policy.js';
import { checkSignUp } from '../../sign-up-policy.js';
import { inMinutes, sendMailQuietly } from '../../send-mail-quietly.js';
import { sendUpgradeLink } from './upgrade-link.js';
import { upgradeGuest } from './upgrade.sql.js';

/** Where a guest names an address of its own. */
export const upgradePath = '/upgrade-anonymous';

const guestDomain = '@anonymous.local';

/**
 * The endpoint that makes a guest a permanent account: same id, same session. The address is not verified
 * by it. It reveals exactly as much about other accounts as a sign-up does.
 */
export function upgradeAnonymous(config: AuthConfig) {
  const { settings, pool, hooks } = config;
  const { enabled: hasPasswords, requireEmailVerification } =
    settings['auth.methods.emailPassword'];
  const hashChosen = createPasswordPolicy(config);
  return endpoint(
    upgradePath,
    { method: 'POST', use: [sensitiveSessionMiddleware], requireHeaders: true },
    async (ctx, body) => {
      const { user } = ctx.context.session;
      const email = requiredText(body, 'email');
      const password = textField(body, 'password');
      if (!isUpgradable(user)) throw fail('CHANGE_EMAIL_DISABLED');
      if (password !== undefined && !hasPasswords) {
        throw invalid('password', 'there are no passwords here');
      }
      checkSignUp(settings['auth.signup'], email);
      const passwordHash = password === undefined ? undefined : await hashChosen(password);
      const asked = { userId: user.id, email, passwordHash };
      const callbackURL = textField(body, 'callbackURL') ?? settings['auth.urls'].siteUrl ?? '/';
      if (hasPasswords && requireEmailVerification) {
        await sendUpgradeLink(config, asked, callbackURL);
        return ctx.json({ status: true, user });
      }
      const result = await upgradeGuest(pool, { ...asked, emailVerified: false });
      if (result === 'taken') throw fail('USER_ALREADY_EXISTS');
      if (result === 'no-guest') throw fail('CHANGE_EMAIL_DISABLED');
      await hooks.emit?.('user.updated', { userId: user.id });
      if (hasPasswords)
        await sendVerification(config, ctx, { userId: user.id, email, callbackURL });
      return ctx.json({
        status: true,
        user: (await ctx.context.internalAdapter.findUserById(user.id)) ?? user,
      });
    },
  );
}

interface NewAddress {
  readonly userId: string;
  readonly email: string;
  readonly callbackURL: string;
}

/** Sends the link that proves the address. Without a way to send mail the account is usable all the same. */
async function sendVerification(
  config: AuthConfig,
  { context }: GenericEndpointContext,
  { userId, email, callbackURL }: NewAddress,
): Promise<void> {
  if (config.messages.canMail() === false) return;
  const { verificationExpiresIn } = config.settings['auth.methods.emailPassword'];
  const token = await createEmailVerificationToken(
    context.secret,
    email,
    undefined,
    verificationExpiresIn,
    { userId },
  );
  const query = new URLSearchParams({ token, callbackURL }).toString();
  const url = `${context.baseURL}/verify-email?${query}`;
  const values = { url, expiresInMinutes: inMinutes(verificationExpiresIn) };
  await sendMailQuietly(config, { kind: 'verifyEmail', to: email, values });
}

function isUpgradable(
  user: { readonly email: string } & Readonly<Record<string, unknown>>,
): boolean {
  return user['isAnonymous'] === true || user.email.endsWith(guestDomain);
}

function invalid(field: string, reason: string): Error {
  return fail('INVALID_INPUT', { field, reason });
}
