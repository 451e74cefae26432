// Ids of identity providers. Accounts are kept under the id of the provider that vouches for them, so two
// providers under one id would sign in as each other's people. Spellings with other letters count as the same:
// ids stand in addresses, where people take one for another.
import { social } from './social.js';

/** Under these, accounts are kept that come by no provider. */
const OTHER_WAYS: readonly string[] = [
  'credential',
  'email-otp',
  'magic-link',
  'phone-number',
  'anonymous',
  'siwe',
  'passkey',
];

/** Whether an id belongs to a social provider or to a way to sign in without one, in any spelling. */
export function isBuiltInProviderId(providerId: string): boolean {
  const id = providerId.toLowerCase();
  return OTHER_WAYS.includes(id) || Object.hasOwn(social.fields, id);
}

/** Why a custom provider cannot have an id whatever else there is; undefined when it can. */
export function customProviderIdProblem(providerId: string): string | undefined {
  if (isBuiltInProviderId(providerId)) return 'is the id of another way to sign in';
  return providerId.toLowerCase().startsWith('sso-') ? 'must not begin with sso-' : undefined;
}
