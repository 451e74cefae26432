// Audiences: subscribers whose role and claims lead to the same answer of every policy are checked once.
import { isRecord, parseJson, type DatabaseRole } from '#libs/wire';

/**
 * A text that is equal for callers that are the same for every policy. `claims` is the text of a JSON object, or empty
 * without claims. Equal claims in another order or with other white space have the same key. Claims that JavaScript
 * cannot read exactly, such as numbers over 2^53, are compared by their whole text.
 */
export function audienceKey(role: DatabaseRole, claims: string): string {
  const values = exactValues(claims);
  if (!isRecord(values)) return JSON.stringify([role, 'text', claims]);
  const names = Object.keys(values).sort();
  return JSON.stringify([role, 'claims', names.map((name) => [name, canonical(values[name])])]);
}

/** Deeper claims than these may be too deep for PostgreSQL. */
const mostCharacters = 8_192;

/**
 * A text that is equal for callers with the same values of these claims, for a reader of JSON in PostgreSQL. Claims that
 * PostgreSQL may refuse, or that JavaScript cannot read exactly, are compared by their whole text.
 */
export function claimsKey(claims: string, names: readonly string[]): string {
  // Escapes can be of characters that PostgreSQL does not take.
  const isPlain = claims.length <= mostCharacters && !claims.includes('\\u');
  const values = isPlain ? exactValues(claims) : undefined;
  if (!isRecord(values)) return JSON.stringify(['text', claims]);
  const read = names.map((name) => (Object.hasOwn(values, name) ? [canonical(values[name])] : []));
  return JSON.stringify(['claims', read]);
}

const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** The value of a JSON text; undefined if it is not JSON, or a number in it loses digits. */
function exactValues(text: string): unknown {
  const isExact = (text.match(stringOrNumber) ?? []).every(
    (token) => token.startsWith('"') || String(Number(token)) === token,
  );
  return isExact ? parseJson(text) : undefined;
}

/** Objects become sorted lists of their members in an object of their own, so that no list looks like one. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isRecord(value)) return value;
  return {
    members: Object.keys(value)
      .sort()
      .map((name) => [name, canonical(value[name])]),
  };
}
