import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';

const defaultMaxLength = 2000;

/** The fields of an object in a body. Every reader throws INVALID_INPUT for a value of another kind. */
export interface FieldReader {
  text(name: string, maxLength?: number): string | undefined;
  flag(name: string): boolean | undefined;
  /** A text, or an array of texts that is not empty. */
  texts(name: string, maxLength?: number): readonly string[] | undefined;
  object(name: string, allowed: readonly string[]): FieldReader | undefined;
  /** The error for a value of this field that cannot be. */
  refused(name: string, reason: string): Error;
}

/** Reads `value`, which must be an object. Throws FIELD_NOT_ALLOWED for a field that is not in `allowed`. */
export function fieldsOf(value: unknown, allowed: readonly string[], prefix = ''): FieldReader {
  if (!isRecord(value)) {
    const field = prefix === '' ? 'body' : prefix.slice(0, -1);
    throw fail('INVALID_INPUT', { field, reason: 'must be an object' });
  }
  for (const name of Object.keys(value)) {
    if (!allowed.includes(name)) throw fail('FIELD_NOT_ALLOWED', { field: `${prefix}${name}` });
  }
  const read = (name: string): unknown => (Object.hasOwn(value, name) ? value[name] : undefined);
  const refused = (name: string, reason: string): Error =>
    fail('INVALID_INPUT', { field: `${prefix}${name}`, reason });
  const checked = (name: string, found: unknown, maxLength: number): string => {
    if (typeof found !== 'string' || found === '') throw refused(name, 'must be a text');
    if (found.includes('\0')) throw refused(name, 'must not contain the character NUL');
    if (found.length <= maxLength) return found;
    throw refused(name, `must have at most ${maxLength} characters`);
  };
  return {
    refused,
    text(name, maxLength = defaultMaxLength) {
      const found = read(name);
      return found === undefined ? undefined : checked(name, found, maxLength);
    },
    flag(name) {
      const found = read(name);
      if (found === undefined || typeof found === 'boolean') return found;
      throw refused(name, 'must be true or false');
    },
    texts(name, maxLength = defaultMaxLength) {
      const found = read(name);
      if (found === undefined) return undefined;
      const list: readonly unknown[] = Array.isArray(found) ? found : [found];
      if (list.length === 0 || list.length > 50) throw refused(name, 'must have 1 to 50 entries');
      return list.map((each) => checked(name, each, maxLength));
    },
    object(name, inner) {
      const found = read(name);
      return found === undefined ? undefined : fieldsOf(found, inner, `${prefix}${name}.`);
    },
  };
}

/** A text that must be there. Throws INVALID_INPUT. */
export function needed(fields: FieldReader, name: string, value: string | undefined): string {
  if (value === undefined) throw fields.refused(name, 'is required');
  return value;
}

/** Texts under some of these names, such as the names of claims. */
export function textsByName(
  fields: FieldReader | undefined,
  names: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (!fields) return undefined;
  const pairs = names.flatMap((name) => {
    const value = fields.text(name, 200);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}

/** Whether an address is one of the web without a name, a password or a fragment in it. */
export function isPlainWebAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, username, password, hash } = new URL(address);
  return /^https?:$/.test(protocol) && username === '' && password === '' && hash === '';
}
