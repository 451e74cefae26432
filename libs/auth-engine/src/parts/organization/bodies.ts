// What requests about organizations may send, route by route. A field that is not here cannot be set from
// outside, whatever the engine would make of it.
import { fail } from '#libs/errors';
import type { SettingsOf } from '#libs/settings';
import { isObject } from '../../fields.js';
import { checkSignUp } from '../../sign-up-policy.js';
import * as check from './checks.js';

interface Shape {
  readonly [field: string]: check.Check | Shape;
}

interface Body {
  readonly fields: Shape;
  readonly required?: readonly string[];
}

export interface BodyOptions {
  readonly idType: 'text' | 'uuid';
  readonly hasTeams: boolean;
  readonly signup: SettingsOf<'auth.signup'>;
}

const organizationFields = {
  name: check.name,
  slug: check.slug,
  logo: check.logo,
  metadata: check.metadata,
};

/** Refuses bodies that do not fit their route (FIELD_NOT_ALLOWED, INVALID_INPUT). */
export function bodyCheck(options: BodyOptions): (path: string, body: unknown) => void {
  const bodies = bodiesOf(options);
  return (path, body) => {
    const rules = bodies[path];
    if (!rules || !isObject(body)) return;
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
      if (!isObject(given) || Object.keys(given).length === 0) {
        throw refused(field, 'must be an object with what is to change');
      }
      checkShape(given, rule, `${field}.`);
      continue;
    }
    const reason = rule(given);
    if (reason !== undefined) throw refused(`${prefix}${field}`, reason);
  }
}

type Bodies = Readonly<Record<string, Body>>;

const organizationId = check.id;

function bodiesOf(options: BodyOptions): Bodies {
  return {
    ...ORGANIZATION_BODIES,
    ...MEMBER_BODIES,
    ...invitationBodies(options),
    ...teamBodies(options),
  };
}

const ORGANIZATION_BODIES: Bodies = {
  '/organization/create': {
    fields: { ...organizationFields, keepCurrentActiveOrganization: check.flag },
  },
  '/organization/update': { fields: { data: organizationFields, organizationId } },
  '/organization/delete': { fields: { organizationId } },
  '/organization/leave': { fields: { organizationId } },
  '/organization/set-active': {
    fields: { organizationId: check.orNull(organizationId), organizationSlug: check.shortText },
  },
  '/organization/check-slug': { fields: { slug: check.slug } },
};

const MEMBER_BODIES: Bodies = {
  '/organization/remove-member': {
    fields: { memberIdOrEmail: check.email, organizationId },
    required: ['memberIdOrEmail'],
  },
  '/organization/update-member-role': {
    fields: { memberId: check.id, role: check.role, organizationId },
    required: ['memberId', 'role'],
  },
  '/organization/has-permission': {
    fields: { permissions: check.permissions, permission: check.permissions, organizationId },
  },
};

function invitationBodies({ hasTeams, signup }: BodyOptions): Bodies {
  const answer: Body = { fields: { invitationId: check.id } };
  return {
    '/organization/invite-member': {
      fields: {
        email: invitedAddress(signup),
        role: check.role,
        organizationId,
        resend: check.flag,
        ...(hasTeams && { teamId: check.teamIds }),
      },
    },
    '/organization/accept-invitation': answer,
    '/organization/reject-invitation': answer,
    '/organization/cancel-invitation': answer,
  };
}

function teamBodies({ idType }: BodyOptions): Bodies {
  const teamMember: Body = {
    fields: { teamId: check.id, userId: check.userId(idType), organizationId },
  };
  return {
    '/organization/create-team': { fields: { name: check.name, organizationId } },
    '/organization/update-team': {
      fields: { teamId: check.id, data: { name: check.name, organizationId } },
    },
    '/organization/remove-team': {
      fields: { teamId: check.id, organizationId },
      required: ['teamId'],
    },
    '/organization/set-active-team': { fields: { teamId: check.orNull(check.id) } },
    '/organization/add-team-member': teamMember,
    '/organization/remove-team-member': teamMember,
  };
}

/** Mail to a stand-in address reaches no person, and the next user with that address would be invited. */
function invitedAddress(signup: SettingsOf<'auth.signup'>): check.Check {
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
