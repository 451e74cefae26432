// Who may manage a provider.
import { fail } from '#libs/errors';
import type { AuthConfig } from '../../auth-config.js';
import type { NoteSsoChange } from './note-change.js';
import type { SsoProvider } from './provider.js';
import { findProvider, managesOrganization } from './provider.sql.js';
import type { SecretBox } from './sealed-secrets.js';
import { hasOrganizations } from './usable-provider.js';

/** Who manages: the project's administrators may do everything, users what concerns their organizations. */
export type SsoActor =
  | {
      readonly kind: 'administrator';
      readonly userId?: string | undefined;
      /** Is called with every change, inside its transaction. */
      readonly note?: NoteSsoChange | undefined;
    }
  | { readonly kind: 'user'; readonly userId: string };

export type SsoConfig = Pick<AuthConfig, 'settings' | 'baseUrl' | 'secret' | 'pool' | 'call'>;

export interface Manager extends SsoConfig {
  readonly box: SecretBox;
}

/** The provider, if the actor manages it. Throws SSO_PROVIDER_NOT_FOUND and as {@link checkManages} does. */
export async function getManaged(
  manager: Manager,
  actor: SsoActor,
  providerId: string,
): Promise<SsoProvider> {
  // The database takes no text with this character.
  const isId = !providerId.includes('\0');
  const provider = isId ? await findProvider(manager.pool, providerId) : undefined;
  if (!provider) throw fail('SSO_PROVIDER_NOT_FOUND');
  await checkManages(manager, actor, provider.organizationId ?? undefined);
  return provider;
}

/** Throws FORBIDDEN for a user who is no owner or admin of the organization, or while there are none. */
export async function checkManages(
  { pool, settings }: Manager,
  actor: SsoActor,
  organizationId: string | undefined,
): Promise<void> {
  if (actor.kind === 'administrator') return;
  const { userId } = actor;
  const isManager =
    organizationId !== undefined &&
    hasOrganizations(settings) &&
    (await managesOrganization(pool, { userId, organizationId }));
  if (!isManager) throw fail('FORBIDDEN');
}
