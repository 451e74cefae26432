import { builtInCastType } from '#libs/catalog';
import { fail } from '#libs/errors';
import { quoteIdent } from '#libs/wire';
import { shorten } from '../parse/names.js';
import type { Scope } from './context.js';

const ARRAY = '[]';

/**
 * Returns the SQL text of the type that a request casts to, schema-qualified: a built-in type of the allow list, or a
 * type of the project in `public`. Other types could turn numbers into names of the catalogs. Throws CAST_REFUSED.
 */
export function castType(
  { context }: Pick<Scope, 'context'>,
  cast: string | undefined,
): string | undefined {
  if (cast === undefined) return undefined;
  const marker = cast.endsWith(ARRAY) ? ARRAY : '';
  const name = cast.slice(0, cast.length - marker.length);
  const builtIn = builtInCastType(name);
  if (builtIn !== undefined) return builtIn + marker;
  if (context.catalog.castTypes.has(name)) return `public.${quoteIdent(name)}${marker}`;
  throw fail('CAST_REFUSED', { type: shorten(cast) });
}
