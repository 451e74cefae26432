import { isBuiltInProviderId } from '#libs/settings';
import type { AuthConfig, AuthSettings } from '../../auth-config.js';
import type { SsoProvider } from './provider.js';
import { findProvider } from './provider.sql.js';

/**
 * Why an id cannot be an SSO provider's: it is that of another way to sign in, and accounts of both would be
 * taken for each other's. Undefined when it can.
 */
export function idProblem(settings: AuthSettings, providerId: string): string | undefined {
  if (isBuiltInProviderId(providerId)) return 'is reserved for another way to sign in';
  const id = providerId.toLowerCase();
  const isCustom = settings['auth.oauth.custom'].providers.some(
    (provider) => provider.providerId.toLowerCase() === id,
  );
  return isCustom ? idOfCustomProvider : undefined;
}

export const idOfCustomProvider = 'is the id of a provider in the settings auth.oauth.custom';

export function hasOrganizations(settings: AuthSettings): boolean {
  return settings['auth.organization'].enabled;
}

/** Whether people may sign in by a provider as the settings are now. */
export function isUsable(settings: AuthSettings, provider: SsoProvider): boolean {
  const { providerId, organizationId } = provider;
  if (organizationId !== null && !hasOrganizations(settings)) return false;
  // A social or custom provider may have been given its id since.
  return idProblem(settings, providerId) === undefined;
}

/** The provider with this id that people may sign in by. */
export async function findUsableProvider(
  { pool, settings }: Pick<AuthConfig, 'pool' | 'settings'>,
  providerId: string,
): Promise<SsoProvider | undefined> {
  const provider = await findProvider(pool, providerId);
  return provider && isUsable(settings, provider) ? provider : undefined;
}
