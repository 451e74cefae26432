import { isRecord, type JsonRecord } from '#libs/wire';
import type { Group } from './define-group.js';
import { fieldsIn, type Field, type Fields } from './field.js';

/**
 * A stored secret that cannot be opened, in the place of its text. It counts as not set, and stays stored until another
 * secret takes its place: a repair of the key or of the row makes it readable again.
 */
export class UnopenedSecret {
  constructor(readonly envelope: string) {}
}

export type StoredSecret = string | UnopenedSecret;

/**
 * Converts a secret, or leaves it out with undefined; `path` is its place: `password`, `google.clientSecret`,
 * `providers.acme.clientSecret`.
 */
type SecretChange<S extends StoredSecret = string> = (
  secret: S,
  path: string,
) => StoredSecret | undefined;

/** Whether one of the fields is a secret. */
export function hasOwnSecret(fields: Fields): boolean {
  return fieldsIn(fields).some(([, field]) => field.kind === 'secret');
}

/**
 * Whether one of the fields, or a field of an object among them, is a secret. Entries are skipped: they have no
 * fallback to guard.
 */
export function hasSecret(fields: Fields): boolean {
  return fieldsIn(fields).some(
    ([, field]) => field.kind === 'secret' || (field.kind === 'object' && hasSecret(field.fields)),
  );
}

/**
 * Returns a stored value with `change` applied to each secret that is set: to seal it before storing, to open it after
 * reading. The path of a secret in an entry contains the key of the entry instead of its index, so that it stays the
 * same if the order changes. An entry without a key is left unchanged, and without `changeUnopened` a secret that cannot
 * be opened.
 */
export function mapSecrets(
  group: Group,
  value: JsonRecord,
  change: SecretChange,
  changeUnopened: SecretChange<UnopenedSecret> = (secret) => secret,
): JsonRecord {
  return mapFields(group.fields, value, (secret, path) =>
    typeof secret === 'string' ? change(secret, path) : changeUnopened(secret, path),
  );
}

/** The secrets of a stored value by their paths, as `mapSecrets` writes them. */
export function secretsIn(group: Group, value: JsonRecord): ReadonlyMap<string, StoredSecret> {
  const secrets = new Map<string, StoredSecret>();
  mapFields(group.fields, value, (secret, path) => {
    secrets.set(path, secret);
    return secret;
  });
  return secrets;
}

/** The paths of the secrets of a stored value that cannot be opened. */
export function unopenedPathsIn(group: Group, value: JsonRecord): readonly string[] {
  const secrets = [...secretsIn(group, value)];
  return secrets.filter(([, secret]) => secret instanceof UnopenedSecret).map(([path]) => path);
}

type AnyChange = SecretChange<StoredSecret>;

function mapFields(fields: Fields, value: JsonRecord, change: AnyChange): JsonRecord {
  const changed = fieldsIn(fields)
    .filter(([name]) => value[name] !== undefined)
    .map(([name, field]) => [
      name,
      mapField(field, value[name], (secret, below) => change(secret, `${name}${below}`)),
    ]);
  return { ...value, ...Object.fromEntries(changed) };
}

/** `change` receives the path below the field: empty for the field itself. */
function mapField(field: Field, value: unknown, change: AnyChange): unknown {
  switch (field.kind) {
    case 'secret':
      return typeof value === 'string' || value instanceof UnopenedSecret
        ? change(value, '')
        : value;
    case 'object':
      return isRecord(value)
        ? mapFields(field.fields, value, (secret, path) => change(secret, `.${path}`))
        : value;
    case 'entries':
      return Array.isArray(value)
        ? value.map((entry: unknown) => {
            const key = isRecord(entry) ? entry[field.key] : undefined;
            if (!isRecord(entry) || typeof key !== 'string') return entry;
            return mapFields(field.fields, entry, (secret, path) =>
              change(secret, `.${key}.${path}`),
            );
          })
        : value;
    case 'flag':
    case 'integer':
    case 'text':
    case 'choice':
    case 'list':
      return value;
  }
}
