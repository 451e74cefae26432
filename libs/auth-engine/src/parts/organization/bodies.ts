// How the bodies of requests about organizations are checked. Each route declares its fields (routes.ts, team-routes.ts);
// a field that is not there cannot be set from outside, whatever the engine would make of it.
import { fail } from '#libs/errors';
import type { SettingsOf } from '#libs/settings';
import { isRecord } from '#libs/wire';
import type { Route } from '../../part.js';
import { checkSignUp } from '../../sign-up-policy.js';
import * as check from './checks.js';

interface Shape {
  readonly [field: string]: check.Check | Shape;
}

/** What a body may have, and must have. */
export interface BodyRules {
  readonly fields: Shape;
  readonly required?: readonly string[];
}

export interface BodyOptions {
  readonly idType: 'text' | 'uuid';
  readonly hasTeams: boolean;
  readonly signup: SettingsOf<'auth.signup'>;
}

/** A route with the checks of its body. */
interface OrganizationRoute extends Route {
  readonly checks?: BodyRules | ((options: BodyOptions) => BodyRules);
}

export type OrganizationRoutes = Readonly<Record<string, OrganizationRoute>>;

/** The fields of an organization that its members set. */
export const organizationFields = {
  name: check.name,
  slug: check.slug,
  logo: check.logo,
  metadata: check.metadata,
};

/** Refuses bodies that do not fit their route (FIELD_NOT_ALLOWED, INVALID_INPUT). */
export function bodyCheck(
  routes: OrganizationRoutes,
  options: BodyOptions,
): (path: string, body: unknown) => void {
  const rulesOf = new Map(
    Object.entries(routes).map(([path, { checks }]) => [
      path,
      typeof checks === 'function' ? checks(options) : checks,
    ]),
  );
  return (path, body) => {
    const rules = rulesOf.get(path);
    if (!rules || !isRecord(body)) return;
    checkShape(body, rules.fields, '');
    for (const field of rules.required ?? []) {
      if (body[field] === undefined) throw refused(field, 'is required');
    }
  };
}

function checkShape(value: object, shape: Shape, prefix: string): void {
  for (const [field, given] of Object.entries(value)) {
    const rule = Object.hasOwn(shape, field) ? shape[field] : undefined;
    if (rule === undefined) throw fail('FIELD_NOT_ALLOWED', { field: `${prefix}${field}` });
    if (typeof rule !== 'function') {
      if (!isRecord(given) || Object.keys(given).length === 0) {
        throw refused(field, 'must be an object with what is to change');
      }
      checkShape(given, rule, `${field}.`);
      continue;
    }
    const reason = rule(given);
    if (reason !== undefined) throw refused(`${prefix}${field}`, reason);
  }
}

/**
 * Returns the check of an invited address. Mail to a stand-in address reaches no person, and the next user with that
 * address would be invited.
 */
export function invitedAddress(signup: SettingsOf<'auth.signup'>): check.Check {
  const reservedOnly = {
    ...signup,
    enabled: true,
    allowedEmailDomains: [],
    blockedEmailDomains: [],
  };
  return (value) => {
    const reason = check.email(value);
    if (reason === undefined) checkSignUp(reservedOnly, value);
    return reason;
  };
}

function refused(field: string, reason: string): Error {
  return fail('INVALID_INPUT', { field, reason });
}
