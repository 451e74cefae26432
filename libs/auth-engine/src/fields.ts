// Values from outside: bodies, queries, answers of servers and of the engine. Each is of any kind until it is read here.
import { fail } from '#libs/errors';
import { isRecord } from '#libs/wire';

/** An object whose fields are not checked yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns the field `name` of a value; undefined when the value is no object or lacks the field. */
export function fieldIn(value: unknown, name: string): unknown {
  return isRecord(value) ? value[name] : undefined;
}

/** Returns a text of a body; undefined when it is absent. Throws INVALID_INPUT for another kind of value. */
export function textField(body: unknown, name: string): string | undefined {
  const value = fieldIn(body, name);
  if (value === undefined || typeof value === 'string') return value;
  throw fail('INVALID_INPUT', { field: name, reason: 'must be a text' });
}

/** Returns a text that is required and not empty. Throws INVALID_INPUT. */
export function requiredText(body: unknown, name: string): string {
  const value = textField(body, name);
  if (value !== undefined && value !== '') return value;
  throw fail('INVALID_INPUT', { field: name, reason: 'is required' });
}

/** Returns a boolean of a body; `otherwise` when it is absent. Throws INVALID_INPUT for another kind of value. */
export function flagField(body: unknown, name: string, otherwise = false): boolean {
  const value = fieldIn(body, name);
  if (value === undefined) return otherwise;
  if (typeof value === 'boolean') return value;
  throw fail('INVALID_INPUT', { field: name, reason: 'must be true or false' });
}
