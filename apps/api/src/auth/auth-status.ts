// How far each way to sign in and each delivery is set up: by settings group, and for groups of several
// things by each of them, as `auth.social.google`.
import type { ProjectRuntime } from '#libs/project-runtime';
import {
  type Delivery,
  getGroup,
  type Group,
  type GroupName,
  partsOf,
  readiness,
  type Settings,
  SETTINGS_GROUPS,
} from '#libs/settings';

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

/** The readiness of everything that signs in or delivers. */
export async function authStatus(project: ProjectRuntime): Promise<Statuses> {
  const { origin } = project.baseUrl;
  const settings = project.settings.values;
  const deliveries = {
    mail: project.messages.transport === undefined ? missingIn('email.smtp', settings) : [],
    sms: settings['auth.hooks'].send.enabled ? [] : missingIn('phone.sms', settings),
  };
  const unopened = (name: string): readonly string[] =>
    project.settings.unopened.filter(({ group }) => group === name).map(({ field }) => field);
  // A group without a method to sign in or to deliver is only listed while a secret of it cannot be opened.
  const groups = SETTINGS_GROUPS.filter(
    ({ name, isReported }: Group) => isReported || unopened(name).length > 0,
  ).flatMap(({ name }) =>
    groupStatuses({ name, settings, deliveries, origin, unopened: unopened(name) }),
  );
  const jwt: MethodStatus = {
    title: 'Signed tokens (JWT)',
    enabled: true,
    configured: true,
    missing: [],
    callbackUrl: null,
  };
  return { ...Object.fromEntries(groups), ...(await ssoStatuses(project)), jwt };
}

type Entry = readonly [string, MethodStatus];

function groupStatuses({
  name,
  settings,
  deliveries,
  origin,
  unopened,
}: {
  readonly name: GroupName;
  readonly settings: Settings;
  /** What mails and SMS lack. */
  readonly deliveries: Readonly<Record<Delivery, readonly string[]>>;
  readonly origin: string;
  /** The paths of stored secrets of the group that cannot be opened. */
  readonly unopened: readonly string[];
}): readonly Entry[] {
  const group: Group = getGroup(name);
  const values = settings[name];
  const own = readiness(group, values);
  const undelivered = group.sends(values).flatMap((delivery) => deliveries[delivery]);
  const missing = [...new Set([...own.missing, ...unopened, ...undelivered])];
  const status: MethodStatus = {
    title: group.title,
    enabled: own.enabled,
    configured: missing.length === 0,
    missing,
    callbackUrl: null,
  };
  const parts = partsOf(group, values).map((part): Entry => {
    const callback = group.callbackPath;
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
