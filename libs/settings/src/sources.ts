import { isRecord, type JsonRecord } from '#libs/wire';
import type { Group } from './define-group.js';
import { fieldsIn, type Field, type Fields, type LeafField } from './field.js';
import { withPresentNames } from './present-names.js';
import { envLeaf, groupEnvironment, type Sources, storedLeaf } from './resolve.js';
import { hasSecret } from './secrets.js';

/** Where the value of a field comes from. An unset text or secret counts as a default. */
export type Source = 'stored' | 'environment' | 'default';

/** The sources of fields by their names; of an object, those of its fields. */
export interface FieldSources {
  readonly [name: string]: Source | FieldSources;
}

/** Returns where each value comes from that `resolve` returns for the same input. */
export function sourcesOf(group: Group, sources: Sources): FieldSources {
  return sourcesIn(group.fields, {
    stored: sources.stored,
    env: groupEnvironment(group, sources),
  });
}

function sourcesIn(fields: Fields, { stored, env }: Sources): FieldSources {
  const from: JsonRecord = isRecord(stored) ? withPresentNames(fields, stored) : {};
  return Object.fromEntries(
    fieldsIn(fields).map(([name, field]) => [name, sourceOf(field, { stored: from[name], env })]),
  );
}

function sourceOf(field: Field, sources: Sources): Source | FieldSources {
  const { stored, env } = sources;
  if (field.kind === 'entries') return Array.isArray(stored) ? 'stored' : 'default';
  if (field.kind === 'object') {
    const taken = isRecord(stored) && hasSecret(field.fields) ? {} : env;
    return sourcesIn(field.fields, { stored, env: taken });
  }
  return sourceOfLeaf(field, sources);
}

function sourceOfLeaf(field: LeafField, { stored, env }: Sources): Source {
  if (storedLeaf(field, stored) !== undefined) return 'stored';
  return envLeaf(field, env) === undefined ? 'default' : 'environment';
}
