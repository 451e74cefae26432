import { fail } from '#libs/errors';
import type { RestInput } from '../types/request.js';
import { shorten } from './names.js';

const DEFAULT_SCHEMA = 'public';

/** Throws PGRST106 for a profile other than the schema of the tables. */
export function checkTableProfiles({ headers }: RestInput): void {
  for (const profile of [headers.acceptProfile, headers.contentProfile]) {
    if (profile && profile !== DEFAULT_SCHEMA) throw notExposed(profile, []);
  }
}

/**
 * Returns the schema of the called function: Content-Profile for POST, else Accept-Profile. Throws PGRST106 if it is
 * neither `public` nor one of `exposed`.
 */
export function functionSchema({ method, headers }: RestInput, exposed: readonly string[]): string {
  const profile = method === 'POST' ? headers.contentProfile : headers.acceptProfile;
  const schema = profile || DEFAULT_SCHEMA;
  if (schema === DEFAULT_SCHEMA || exposed.includes(schema)) return schema;
  throw notExposed(schema, exposed);
}

function notExposed(schema: string, exposed: readonly string[]): Error {
  const hint = `Exposed here: ${[DEFAULT_SCHEMA, ...exposed].join(', ')}`;
  return fail('PGRST106', { schema: shorten(schema) }, { hint });
}
