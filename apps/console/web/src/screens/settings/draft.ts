// What an operator has changed in a form and not saved, and the body of the write that it leads to.
import { isRecord } from '../../api/json.js';
import {
  below,
  type FieldForm,
  type Fields,
  isUnit,
  type Json,
  type Loaded,
  sentinel,
  sourceAt,
  valueAt,
} from './form.js';

/** What becomes of a field: another value, or the one of the environment or the default. */
export type Change = { readonly kind: 'set'; readonly value: unknown } | { readonly kind: 'unset' };

/** The changes by the paths of their fields. Others may change the group meanwhile: the rest is taken from the server. */
export type Draft = ReadonlyMap<string, Change>;

export const emptyDraft: Draft = new Map();

/** The draft with another value for a field. The value that it has anyway is no change. */
export function withValue(draft: Draft, loaded: Loaded, path: string, value: unknown): Draft {
  const next = new Map(draft);
  const current = valueAt(loaded.values, path) ?? undefined;
  if (JSON.stringify(value) === JSON.stringify(current)) next.delete(path);
  else if (value === undefined) return withoutValue(draft, loaded, path);
  else next.set(path, { kind: 'set', value });
  return next;
}

/** The draft in which a field is no longer stored. */
export function withoutValue(draft: Draft, loaded: Loaded, path: string): Draft {
  const next = new Map(draft);
  if (sourceAt(loaded, path) === 'stored') next.set(path, { kind: 'unset' });
  else next.delete(path);
  return next;
}

/** The draft with the changes of one field taken back. */
export function withoutChange(draft: Draft, path: string): Draft {
  const next = new Map(draft);
  next.delete(path);
  return next;
}

/** The value that an input shows; undefined if the field has none. */
export function shownValue(draft: Draft, loaded: Loaded, path: string): unknown {
  const change = draft.get(path);
  if (change?.kind === 'set') return change.value;
  const from = change?.kind === 'unset' ? loaded.unstored : loaded.values;
  return valueAt(from, path) ?? undefined;
}

/** What is stored now, as a body would write it. */
export function storedOf(fields: Fields, loaded: Loaded): Json {
  return bodyOf(fields, loaded, emptyDraft);
}

/**
 * The body of a write: fields that are stored and those of the draft. The others are left out, so that they follow the
 * environment and the defaults. A unit that is changed takes nothing from the environment any more, so it is written
 * with the values that it had from there; secrets are not known and must be typed.
 */
export function bodyOf(fields: Fields, loaded: Loaded, draft: Draft): Json {
  return bodyIn(fields, '', loaded, draft);
}

function bodyIn(fields: Fields, path: string, loaded: Loaded, draft: Draft): Json {
  const paths = fields.map(({ name }) => below(path, name));
  const isTouched = isUnit(fields) && paths.some((each) => draft.has(each));
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const value = written(field, below(path, field.name), loaded, draft, isTouched);
    if (value !== undefined) body[field.name] = value;
  }
  return body;
}

function written(
  field: FieldForm,
  path: string,
  loaded: Loaded,
  draft: Draft,
  isTouched: boolean,
): unknown {
  if (field.kind === 'object') {
    const inner = bodyIn(field.fields, path, loaded, draft);
    return Object.keys(inner).length === 0 ? undefined : inner;
  }
  const change = draft.get(path);
  if (change) return change.kind === 'set' ? change.value : undefined;
  const source = sourceAt(loaded, path);
  const isKept = isTouched && source === 'environment' && field.kind !== 'secret';
  if (source !== 'stored' && !isKept) return undefined;
  const value = valueAt(loaded.values, path) ?? undefined;
  return field.kind === 'entries' ? entriesOf(value) : value;
}

/** Whether a unit that has values of the environment is stored by this body, and so takes no more of them. */
export function leavesEnvironment(fields: Fields, loaded: Loaded, body: Json, path = ''): boolean {
  const isStored = Object.keys(body).length > 0;
  const hasEnvironment = fields.some(
    ({ name }) => sourceAt(loaded, below(path, name)) === 'environment',
  );
  if (isUnit(fields) && isStored && hasEnvironment) return true;
  return fields.some((field) => {
    const inner = body[field.name];
    return (
      field.kind === 'object' &&
      isRecord(inner) &&
      leavesEnvironment(field.fields, loaded, inner, below(path, field.name))
    );
  });
}

/** Entries without their unset fields, which are shown as null. */
function entriesOf(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.map((entry: unknown) =>
    isRecord(entry)
      ? Object.fromEntries(Object.entries(entry).filter(([, each]) => each !== null))
      : entry,
  );
}

/** The place and the reason in the message of a refused write: `google.clientId: must not be empty`. */
export function fieldProblem(
  message: string,
): { readonly path: string; readonly reason: string } | undefined {
  const [, path, reason] = /^([\w.[\]-]+): (.+)$/s.exec(message) ?? [];
  return path === undefined || reason === undefined ? undefined : { path, reason };
}

/** A body without what must not be copied into a command: each new secret is a word for it. */
export function withoutSecrets(fields: Fields, body: Json): Json {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const field = fields.find((each) => each.name === name);
      if (field?.kind === 'secret') return [name, value === sentinel ? value : '<secret>'];
      if (field?.kind === 'object' && isRecord(value))
        return [name, withoutSecrets(field.fields, value)];
      if (field?.kind === 'entries' && Array.isArray(value)) {
        return [
          name,
          value.map((entry: unknown) =>
            isRecord(entry) ? withoutSecrets(field.fields, entry) : entry,
          ),
        ];
      }
      return [name, value];
    }),
  );
}
