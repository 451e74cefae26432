import type { AuthConfig } from '../../auth-config.js';
import { tellByMail } from '../../tell-by-mail.js';

/** Tells the owner of an account, and whoever listens to events, that its password is another one now. */
export async function passwordChanged(
  config: Pick<AuthConfig, 'messages' | 'log' | 'hooks'>,
  user: { readonly id: string; readonly email: string },
): Promise<void> {
  await config.hooks.emit?.('password.changed', { userId: user.id });
  await tellByMail(config, { kind: 'passwordChanged', to: user.email, values: {} });
}
