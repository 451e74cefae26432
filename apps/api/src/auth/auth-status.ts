// How far each way to sign in and each delivery is set up: by settings group, and for groups of several
// things by each of them, as `auth.social.google`.
import type { ProjectRuntime } from '#libs/project-runtime';
import { getGroup, type Group, partsOf, readiness, type Settings } from '#libs/settings';

import { listSsoProviders } from './sso-providers.sql.js';

/** How far one of them is set up (spec: `GET /api/admin/auth/status`). */
export interface MethodStatus {
  readonly title: string;
  readonly enabled: boolean;
  readonly configured: boolean;
  /** Names of the fields that still need a value; those of another group with its name before them. */
  readonly missing: readonly string[];
  /** What to register at the provider; null where there is none. */
  readonly callbackUrl: string | null;
}

type Statuses = Readonly<Record<string, MethodStatus>>;

/** The groups that are reported, in the order of the report. */
const REPORTED = [
  'auth.methods.emailPassword',
  'auth.methods.magicLink',
  'auth.methods.emailOTP',
  'auth.methods.anonymous',
  'auth.phoneOtp',
  'auth.social',
  'auth.oauth.custom',
  'auth.passkey',
  'auth.twoFactor',
  'auth.organization',
  'auth.sso',
  'auth.apiKey',
  'auth.thirdParty',
  'auth.attackProtection',
  'auth.hooks',
  'email.smtp',
  'phone.sms',
] as const;

/** Where providers of a group send browsers back to, below the project's address. */
const CALLBACKS: Readonly<Record<string, string>> = {
  'auth.social': '/api/auth/callback/',
  'auth.oauth.custom': '/api/auth/oauth2/callback/',
};

/** The readiness of everything that signs in or delivers. */
export async function authStatus(project: ProjectRuntime): Promise<Statuses> {
  const { origin } = project.baseUrl;
  const settings = project.settings.values;
  const deliveries = {
    mail: project.messages.transport === undefined ? missingIn('email.smtp', settings) : [],
    sms: settings['auth.hooks'].send.enabled ? [] : missingIn('phone.sms', settings),
  };
  const groups = REPORTED.flatMap((name) => groupStatuses(name, { settings, deliveries, origin }));
  const jwt: MethodStatus = {
    title: 'Signed tokens (JWT)',
    enabled: true,
    configured: true,
    missing: [],
    callbackUrl: null,
  };
  return { ...Object.fromEntries(groups), ...(await ssoStatuses(project)), jwt };
}

interface Circumstances {
  readonly settings: Settings;
  /** What mails and SMS lack. */
  readonly deliveries: Readonly<Record<Delivery, readonly string[]>>;
  readonly origin: string;
}

type Entry = readonly [string, MethodStatus];

function groupStatuses(
  name: (typeof REPORTED)[number],
  { settings, deliveries, origin }: Circumstances,
): readonly Entry[] {
  const group: Group = getGroup(name);
  const values = settings[name];
  const own = readiness(group, values);
  const missing = [...own.missing, ...missingDeliveries(name, { settings, deliveries })];
  const status: MethodStatus = {
    title: group.title,
    enabled: own.enabled,
    configured: missing.length === 0,
    missing,
    callbackUrl: null,
  };
  const parts = partsOf(group, values).map((part): Entry => {
    const callback = CALLBACKS[name];
    const title = partTitle(group, part.name);
    const callbackUrl = callback === undefined ? null : `${origin}${callback}${part.name}`;
    const { enabled } = part;
    return [
      `${name}.${part.name}`,
      { title, enabled, configured: part.missing.length === 0, missing: part.missing, callbackUrl },
    ];
  });
  return [[name, status], ...parts];
}

type Delivery = 'mail' | 'sms';

/** What the messages of a method go by. */
const SENDS: Readonly<Record<string, (settings: Settings) => readonly Delivery[]>> = {
  'auth.methods.magicLink': () => ['mail'],
  'auth.methods.emailOTP': () => ['mail'],
  'auth.methods.emailPassword': (settings) =>
    settings['auth.methods.emailPassword'].requireEmailVerification ? ['mail'] : [],
  'auth.phoneOtp': () => ['sms'],
  'auth.twoFactor': (settings) => {
    const { emailCodes, smsCodes } = settings['auth.twoFactor'];
    return [...(emailCodes ? (['mail'] as const) : []), ...(smsCodes ? (['sms'] as const) : [])];
  },
};

/** What a method needs of the deliveries and they lack. */
function missingDeliveries(
  name: string,
  { settings, deliveries }: Pick<Circumstances, 'settings' | 'deliveries'>,
): readonly string[] {
  const needed = SENDS[name]?.(settings) ?? [];
  return needed.flatMap((delivery) => deliveries[delivery]);
}

function missingIn(name: 'email.smtp' | 'phone.sms', settings: Settings): readonly string[] {
  const group: Group = getGroup(name);
  return readiness(group, settings[name]).missing.map((field) => `${name}.${field}`);
}

/** The heading of the part in the form of its group, or its name. */
function partTitle({ fields }: Group, part: string): string {
  return fields[part]?.label ?? part;
}

async function ssoStatuses(project: ProjectRuntime): Promise<Statuses> {
  const { enabled } = project.settings.get('auth.sso');
  const providers = await project.db.runAsEngine(listSsoProviders);
  const { origin } = project.baseUrl;
  const entries = providers.map(({ providerId, protocol, domain }): Entry => {
    const path = protocol === 'saml' ? 'sso/saml2/sp/acs' : 'sso/callback';
    const callbackUrl = `${origin}/api/auth/${path}/${providerId}`;
    const title = `${providerId} (${domain})`;
    return [
      `auth.sso.${providerId}`,
      { title, enabled, configured: true, missing: [], callbackUrl },
    ];
  });
  return Object.fromEntries(entries);
}
