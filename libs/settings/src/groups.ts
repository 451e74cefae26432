// The list of settings groups. A new group is a file in groups/ and one line here.
import { fail } from '#libs/errors';
import type { Group, GroupCapability, Values } from './define-group.js';
import { anonymous } from './groups/anonymous.js';
import { apiKey } from './groups/api-key.js';
import { attackProtection } from './groups/attack-protection.js';
import { authRateLimits } from './groups/auth-rate-limits.js';
import { customOauth } from './groups/custom-oauth.js';
import { emailOtp } from './groups/email-otp.js';
import { emailPassword } from './groups/email-password.js';
import { functions } from './groups/functions.js';
import { hooks } from './groups/hooks.js';
import { keys } from './groups/keys.js';
import { magicLink } from './groups/magic-link.js';
import { organization } from './groups/organization.js';
import { passkey } from './groups/passkey.js';
import { phoneOtp } from './groups/phone-otp.js';
import { rateLimit } from './groups/rate-limit.js';
import { realtime } from './groups/realtime.js';
import { rest } from './groups/rest.js';
import { sessions } from './groups/sessions.js';
import { signup } from './groups/signup.js';
import { sms } from './groups/sms.js';
import { smtp } from './groups/smtp.js';
import { social } from './groups/social.js';
import { sso } from './groups/sso.js';
import { storage } from './groups/storage.js';
import { templates } from './groups/templates.js';
import { thirdParty } from './groups/third-party.js';
import { tokens } from './groups/tokens.js';
import { twoFactor } from './groups/two-factor.js';
import { urls } from './groups/urls.js';
import { resolve, type Environment } from './resolve.js';

export const SETTINGS_GROUPS = [
  emailPassword,
  magicLink,
  emailOtp,
  phoneOtp,
  social,
  customOauth,
  passkey,
  twoFactor,
  anonymous,
  apiKey,
  organization,
  sso,
  thirdParty,
  urls,
  signup,
  sessions,
  tokens,
  hooks,
  authRateLimits,
  attackProtection,
  rest,
  storage,
  realtime,
  functions,
  rateLimit,
  keys,
  smtp,
  templates,
  sms,
] as const;

type AnyGroup = (typeof SETTINGS_GROUPS)[number];
export type GroupName = AnyGroup['name'];

/** The resolved values of the group called `N`. */
export type SettingsOf<N extends GroupName> =
  Extract<AnyGroup, { readonly name: N }> extends Group<N, infer F> ? Values<F> : never;

/** The resolved values of every group. */
export type Settings = { readonly [N in GroupName]: SettingsOf<N> };

/** The group called `name`, if there is one. */
export function findGroup(name: string): Group | undefined {
  return SETTINGS_GROUPS.find((group) => group.name === name);
}

/**
 * The capability that an operator needs for the group called `name`, ignoring case; undefined if the group does not
 * exist.
 */
export function findGroupCapability(name: string): GroupCapability | undefined {
  const wanted = name.toLowerCase();
  return SETTINGS_GROUPS.find((group) => group.name.toLowerCase() === wanted)?.capability;
}

/**
 * The capability that an operator needs for the group called `name`, ignoring case; for an unknown group the strictest
 * one, because another release may have the group.
 */
export function capabilityOfGroup(name: string): GroupCapability {
  return findGroupCapability(name) ?? 'secrets.manage';
}

/** The group called `name`. Throws UNKNOWN_SETTINGS_GROUP (404). */
export function getGroup(name: string): Group {
  const group = findGroup(name);
  if (!group) throw fail('UNKNOWN_SETTINGS_GROUP', { group: name });
  return group;
}

/** Resolves all groups. `stored` contains the stored values by group name, with their secrets opened. */
export function resolveAll(stored: Readonly<Record<string, unknown>>, env: Environment): Settings {
  const entries = SETTINGS_GROUPS.map((group: Group) => [
    group.name,
    resolve(group, { stored: stored[group.name], env }),
  ]);
  // The entries are built from the list that the type is made from.
  return Object.fromEntries(entries) as Settings;
}
