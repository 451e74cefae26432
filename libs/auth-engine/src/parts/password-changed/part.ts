import type { AuthConfig } from '../../auth-config.js';
import { sendMailQuietly } from '../../send-mail-quietly.js';

/** Notifies the owner of an account, and the hook of events, that the password has changed. */
export async function passwordChanged(
  config: Pick<AuthConfig, 'messages' | 'log' | 'hooks'>,
  user: { readonly id: string; readonly email: string },
): Promise<void> {
  await config.hooks.emit?.('password.changed', { userId: user.id });
  await sendMailQuietly(config, { kind: 'passwordChanged', to: user.email, values: {} });
}
