// Ids of identity providers. Accounts are stored under the id of their provider, so two providers with the same id
// could sign in each other's users. Ids that differ only in case count as the same: ids appear in addresses, where
// people confuse them.
import { social } from './social.js';

/** Account ids that belong to no provider. */
const OTHER_WAYS: readonly string[] = [
  'credential',
  'email-otp',
  'magic-link',
  'phone-number',
  'anonymous',
  'siwe',
  'passkey',
];

/** Whether an id belongs to a social provider or to a sign-in method without a provider, in any spelling. */
export function isBuiltInProviderId(providerId: string): boolean {
  const id = providerId.toLowerCase();
  return OTHER_WAYS.includes(id) || Object.hasOwn(social.fields, id);
}

/** Why a custom provider cannot have an id, whatever the other providers are; undefined if it can. */
export function customProviderIdProblem(providerId: string): string | undefined {
  if (isBuiltInProviderId(providerId)) return 'is the id of another way to sign in';
  return providerId.toLowerCase().startsWith('sso-') ? 'must not begin with sso-' : undefined;
}
