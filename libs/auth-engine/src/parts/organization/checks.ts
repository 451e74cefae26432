// What single values of requests about organizations may be. A check gives the reason against a value, or
// undefined when it is fine. Types that the engine checks itself are left to it.
import { isRecord } from '#libs/wire';

export type Check = (value: unknown) => string | undefined;

export const ROLES = ['owner', 'admin', 'member'] as const;
export type OrganizationRole = (typeof ROLES)[number];

const controlCharacter = /\p{Cc}/u;
const slugPattern = /^[a-z0-9]+(?:-+[a-z0-9]+)*$/;
const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

const maxIdLength = 128;
const maxSlugLength = 63;
const maxNameLength = 200;
const maxLogoLength = 2000;
const maxMetadataLength = 8192;
const maxTeams = 50;

/** A text of at most `maxLength` characters without control characters, which also keeps NUL out. */
function text(maxLength: number): Check {
  return (value) => {
    if (typeof value !== 'string') return 'must be a text';
    if (value === '') return 'must not be empty';
    if (value.length > maxLength) return `must have at most ${maxLength} characters`;
    return controlCharacter.test(value) ? 'must not contain control characters' : undefined;
  };
}

export const id = text(maxIdLength);
export const shortText = text(maxNameLength);
export const logo = orNull(text(maxLogoLength));
/** As long as an address can be (RFC 5321 §4.5.3.1). */
export const email = text(254);

/** Names are shown in mails and lists, so a name of spaces is none. */
export const name: Check = (value) =>
  shortText(value) ??
  (typeof value === 'string' && value.trim() === '' ? 'must not be empty' : undefined);

export const slug: Check = (value) =>
  text(maxSlugLength)(value) ??
  (slugPattern.test(String(value)) ? undefined : 'must be of the characters a-z, 0-9 and -');

/** Only the engine's own three roles exist, and a member has one of them. */
export const role: Check = (value) =>
  roleOf(value) === undefined ? `must be one of ${ROLES.join(', ')}` : undefined;

/** The role that a value names, alone or as the only one of a list. */
export function roleOf(value: unknown): OrganizationRole | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.length === 1 ? ROLES.find((each) => each === list[0]) : undefined;
}

export const flag: Check = (value) =>
  typeof value === 'boolean' ? undefined : 'must be true or false';

export const metadata: Check = (value) => {
  if (!isRecord(value)) return 'must be an object';
  return JSON.stringify(value).length > maxMetadataLength
    ? `must have at most ${maxMetadataLength} characters as JSON`
    : undefined;
};

/** Resources with their actions. A name that every object inherits would be taken for one. */
export const permissions: Check = (value) => {
  if (!isRecord(value)) return 'must be an object';
  return Object.keys(value).some((resource) => resource in Object.prototype)
    ? 'must name resources'
    : undefined;
};

/** One team or several. The engine keeps them in one text with commas between them. */
export const teamIds: Check = (value) => {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length > maxTeams) return `must name at most ${maxTeams} teams`;
  return list.map(id).find((reason) => reason !== undefined);
};

/** A user id of the project. Another type would fail in the database. */
export function userId(idType: 'text' | 'uuid'): Check {
  return (value) => {
    const reason = id(value);
    if (reason !== undefined || idType === 'text') return reason;
    return uuidPattern.test(String(value)) ? undefined : 'must be a UUID';
  };
}

/** A whole number as queries carry it. */
export function wholeNumber(min: number, max: number): Check {
  return (value) => {
    const isWhole = typeof value === 'string' && /^\d{1,9}$/.test(value);
    if (isWhole && Number(value) >= min && Number(value) <= max) return undefined;
    return `must be a whole number from ${min} to ${max}`;
  };
}

export function oneOf(...values: readonly string[]): Check {
  return (value) =>
    typeof value === 'string' && values.includes(value)
      ? undefined
      : `must be one of ${values.join(', ')}`;
}

export function orNull(check: Check): Check {
  return (value) => (value === null ? undefined : check(value));
}
