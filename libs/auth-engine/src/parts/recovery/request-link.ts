import { originCheck } from 'better-auth/api';
import { endpoint } from '../../endpoint.js';
import type { AuthConfig } from '../../auth-config.js';
import { requiredText } from '../../fields.js';
import { randomToken } from '../../one-time-values.js';
import { inMinutes, sendMailQuietly } from '../../send-mail-quietly.js';

export const requestLinkPath = '/request-password-reset';

/**
 * The endpoint that mails a link to choose a new password. It takes the place of the engine's, which writes to
 * the database for an address with an account and reads for any other: the time of the answer shows which it was.
 * Here both are one look for the account and one row; the row of an unknown address opens nothing.
 */
export function requestResetLink(config: AuthConfig) {
  const { resetExpiresIn } = config.settings['auth.methods.emailPassword'];
  return endpoint(
    requestLinkPath,
    {
      method: 'POST',
      use: [originCheck((ctx) => ctx.body?.redirectTo)],
    },
    async (ctx, body) => {
      const email = requiredText(body, 'email');
      const redirectTo: unknown = body ? body['redirectTo'] : '';
      const { internalAdapter, baseURL } = ctx.context;
      const found = await internalAdapter.findUserByEmail(email);
      const token = randomToken();
      await internalAdapter.createVerificationValue({
        value: found?.user.id ?? '',
        identifier: `reset-password:${token}`,
        expiresAt: new Date(Date.now() + resetExpiresIn * 1000),
      });
      if (found) {
        const query = new URLSearchParams({ callbackURL: String(redirectTo) }).toString();
        await sendMailQuietly(config, {
          kind: 'resetPasswordLink',
          to: found.user.email,
          values: {
            url: `${baseURL}/reset-password/${token}?${query}`,
            expiresInMinutes: inMinutes(resetExpiresIn),
          },
        });
      }
      return ctx.json({
        status: true,
        message: 'If this email exists in our system, check your email for the reset link',
      });
    },
  );
}
