// What answers about organizations look like. The engine gives metadata as an object in some of them and as
// its text in others, and its members may come with more of their user than colleagues may know.
import { types } from 'node:util';
import { isRecord, parseJson } from '#libs/wire';

const USER_FIELDS = ['id', 'name', 'email', 'image'] as const;

/** An answer of the engine in one shape wherever organizations and members are in it. */
export function organizationView(answer: object): object {
  if (Array.isArray(answer)) return answer.map(valueView);
  return Object.fromEntries(
    Object.entries(answer).map(([field, value]) => [field, fieldView(field, value)]),
  );
}

function valueView(value: unknown): unknown {
  const isPlain = (isRecord(value) && !types.isDate(value)) || Array.isArray(value);
  return isPlain ? organizationView(value) : value;
}

function fieldView(field: string, value: unknown): unknown {
  if (field === 'metadata') return metadataView(value);
  if (field === 'user' && isRecord(value)) {
    return Object.fromEntries(USER_FIELDS.map((name) => [name, value[name] ?? null]));
  }
  return valueView(value);
}

function metadataView(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? null;
  // An import may have stored any text.
  return parseJson(value) ?? null;
}
