// What an entry of an audit log says before and after, field by field.
import { isRecord } from '../../api/json.js';

export interface Change {
  /** Names from the outside to the inside, with dots between them; empty for a value without names. */
  readonly path: string;
  /** Undefined: the field was not there. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The text that replaces a secret on the screen and in files. */
export const hidden = '••••••';

/** What the server writes in the place of a secret. */
const placeholders = new Set(['[left out]', '__SECRET_SET__']);
const secretName =
  /(password|passphrase|secret|token|credential|privatekey|apikey|connectionstring|databaseurl|hash)$/i;

/** The fields that differ, in the order in which they come. A list is one value. */
export function changesOf(before: unknown, after: unknown): readonly Change[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((path): Change => ({ path, before: old.get(path), after: now.get(path) }))
    .filter((change) => change.before !== change.after);
}

/** The same value with each secret hidden: the server leaves them out, and a name that says so is believed too. */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string' && placeholders.has(value)) return hidden;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecret(name, inner) ? hidden : withoutSecrets(inner),
    ]),
  );
}

function fieldsOf(value: unknown): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  const add = (path: string, inner: unknown): void => {
    if (inner === undefined) return;
    const entries = isRecord(inner) ? Object.entries(inner) : [];
    if (entries.length === 0) fields.set(path, textOf(inner));
    for (const [name, each] of entries) add(path === '' ? name : `${path}.${name}`, each);
  };
  if (value !== null) add('', withoutSecrets(value));
  return fields;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  const isWords = Array.isArray(value) && value.every((each) => typeof each === 'string');
  return isWords && value.length > 0 ? value.join(', ') : JSON.stringify(value);
}

function isSecret(name: string, value: unknown): boolean {
  return typeof value === 'string' && value !== '' && secretName.test(name.replaceAll(/[_-]/g, ''));
}

/** The first changes in one line. */
export function changesInWords(changes: readonly Change[]): string {
  const shown = changes.slice(0, 2).map(({ path, before, after }) => {
    const name = path === '' ? '' : `${path}: `;
    if (before === undefined) return name + short(after);
    return `${name}${short(before)} → ${short(after)}`;
  });
  const more = changes.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join('; ');
}

const shortLength = 40;

function short(text: string | undefined): string {
  if (text === undefined) return 'none';
  return text.length > shortLength ? `${text.slice(0, shortLength)}…` : text;
}
