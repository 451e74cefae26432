// A settings group as the API declares it, and the places in it. Nothing here knows a group or a field by its name.
import type { ProjectSchemas } from '../../api/client.js';
import { isRecord, type JsonObject } from '../../api/json.js';

export type LeafForm = ProjectSchemas['LeafForm'];

/** Fields under one heading. */
export interface ObjectForm extends Pick<LeafForm, 'name' | 'label' | 'help' | 'limits'> {
  readonly kind: 'object';
  readonly fields: readonly FieldForm[];
}

/** Several objects of one shape; the field `key` identifies them. */
export interface EntriesForm extends Pick<LeafForm, 'name' | 'label' | 'help' | 'limits'> {
  readonly kind: 'entries';
  readonly key: string;
  readonly fields: readonly FieldForm[];
}

export type FieldForm = LeafForm | ObjectForm | EntriesForm;

export interface GroupForm extends Pick<
  ProjectSchemas['GroupForm'],
  'name' | 'title' | 'help' | 'capability'
> {
  readonly fields: readonly FieldForm[];
}

export type Fields = readonly FieldForm[];

export type Json = JsonObject;
export type Source = 'stored' | 'environment' | 'default';

/** A group as it is on the server. */
export interface Loaded {
  readonly values: Json;
  readonly sources: Json;
  /** The values if nothing were stored. */
  readonly unstored: Json;
}

/** Readers receive it instead of a stored secret, and writers send it back to keep the secret. */
export const sentinel = '__SECRET_SET__';

/** A field with one value: a leaf, or a list of entries. */
export interface Place {
  /** `google.clientId` */
  readonly path: string;
  /** `Google › Client id` */
  readonly label: string;
  readonly field: LeafForm | EntriesForm;
}

export const below = (path: string, name: string): string =>
  path === '' ? name : `${path}.${name}`;

/** The places of fields, in the order of the declaration. */
export function placesIn(fields: Fields, path = '', label = ''): readonly Place[] {
  return fields.flatMap((field): readonly Place[] => {
    const at = below(path, field.name);
    const named = label === '' ? field.label : `${label} › ${field.label}`;
    return field.kind === 'object'
      ? placesIn(field.fields, at, named)
      : [{ path: at, label: named, field }];
  });
}

/** The value at a path such as `google.clientId`. */
export function valueAt(values: unknown, path: string): unknown {
  let found: unknown = values;
  for (const name of path.split('.')) found = isRecord(found) ? found[name] : undefined;
  return found;
}

/** The source of the value at a path. */
export function sourceAt({ sources }: Loaded, path: string): Source {
  const found = valueAt(sources, path);
  return found === 'stored' || found === 'environment' ? found : 'default';
}

/** Whether the fields are one unit: once a field of it is stored, none of them takes a value of the environment. */
export function isUnit(fields: Fields): boolean {
  return fields.some(({ kind }) => kind === 'secret');
}

/** The group that an entry of the readiness report is about, and the field within it. */
export function groupOfStatus(
  name: string,
  groups: readonly GroupForm[],
): { readonly group: GroupForm; readonly field: string | undefined } | undefined {
  const group = groups.find((each) => name === each.name || name.startsWith(`${each.name}.`));
  if (!group) return undefined;
  const rest = name.slice(group.name.length + 1);
  return { group, field: rest === '' ? undefined : rest };
}

export interface Found {
  readonly group: GroupForm;
  /** The first field whose words match, unless the group itself does. */
  readonly field: Place | undefined;
}

/** The groups whose title, help or fields contain every word of a search, with the field that does. */
export function findGroups(groups: readonly GroupForm[], search: string): readonly Found[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const contains = (...texts: readonly (string | undefined)[]): boolean => {
    const text = texts.join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return groups.flatMap((group): readonly Found[] => {
    if (contains(group.title, group.help, group.name)) return [{ group, field: undefined }];
    const places = placesIn(group.fields);
    const field = places.find(({ label, path, field: form }) =>
      contains(group.title, label, path, ...wordsOf(form)),
    );
    return field ? [{ group, field }] : [];
  });
}

/** The help of a field; of entries, also the words of their fields. */
function wordsOf(field: FieldForm): readonly (string | undefined)[] {
  if (field.kind !== 'entries') return [field.help];
  return [field.help, ...field.fields.flatMap((each) => [each.label, ...wordsOf(each)])];
}
