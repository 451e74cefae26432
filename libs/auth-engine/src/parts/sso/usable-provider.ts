import type { AuthConfig, AuthSettings } from '../../auth-config.js';
import type { SsoProvider } from './provider.js';
import { findProvider } from './provider.sql.js';

/** Under which other ways of signing in keep their accounts. */
const BUILT_IN = [
  'credential',
  'email-otp',
  'magic-link',
  'phone-number',
  'anonymous',
  'siwe',
  'passkey',
];

/** Whether an id is that of another way to sign in: accounts of both would be taken for each other's. */
export function isReservedId(settings: AuthSettings, providerId: string): boolean {
  const taken = [
    ...BUILT_IN,
    ...Object.keys(settings['auth.social']),
    ...settings['auth.oauth.custom'].providers.map((provider) => provider.providerId),
  ];
  return taken.some((id) => id.toLowerCase() === providerId.toLowerCase());
}

export function hasOrganizations(settings: AuthSettings): boolean {
  return settings['auth.organization'].enabled;
}

/** Whether people may sign in by a provider as the settings are now. */
export function isUsable(settings: AuthSettings, provider: SsoProvider): boolean {
  const { providerId, organizationId } = provider;
  if (organizationId !== null && !hasOrganizations(settings)) return false;
  // A social or custom provider may have been given its id since.
  return !isReservedId(settings, providerId);
}

/** The provider with this id that people may sign in by. */
export async function findUsableProvider(
  { pool, settings }: Pick<AuthConfig, 'pool' | 'settings'>,
  providerId: string,
): Promise<SsoProvider | undefined> {
  const provider = await findProvider(pool, providerId);
  return provider && isUsable(settings, provider) ? provider : undefined;
}
