// Chooses the output that is the geometry of a GeoJSON feature. Without PostGIS a column with GeoJSON serves as well.
import type { ValueKind } from '#libs/catalog';
import { fail } from '#libs/errors';
import type { Field, Geometry, Level, Output } from '../types/plan.js';

const NAMES: ReadonlySet<string> = new Set([
  'geometry',
  'geom',
  'geojson',
  'location',
  'point',
  'shape',
  'the_geom',
]);

interface Candidate {
  readonly name: string;
  readonly kind: ValueKind;
  readonly type: string;
}

/**
 * The geometry among the outputs of a level: the first of a geometry type, else a json output that has a usual name or
 * is the only one, else a text output with a usual name. Throws PGRST107 if there is none.
 */
export function planGeometry({ outputs }: Level): Geometry {
  const candidates = outputs.flatMap(candidateOf);
  const postgis = candidates.find(({ kind }) => kind === 'geometry');
  if (postgis) {
    return {
      name: postgis.name,
      encoding: { kind: 'postgis', schema: schemaOf(postgis.type) },
    };
  }
  const json = candidates.filter(({ kind }) => kind === 'json' || kind === 'jsonb');
  const named = json.find(hasUsualName) ?? (json.length === 1 ? json[0] : undefined);
  if (named) return { name: named.name, encoding: { kind: 'json' } };
  const text = candidates.find((each) => each.kind === 'text' && hasUsualName(each));
  if (text) return { name: text.name, encoding: { kind: 'text' } };
  throw fail('PGRST107', {
    types: 'application/geo+json',
    reason: 'no selected column is a geometry',
  });
}

function hasUsualName({ name }: Candidate): boolean {
  return NAMES.has(name.toLowerCase());
}

function candidateOf(output: Output): readonly Candidate[] {
  switch (output.kind) {
    case 'value':
      return [{ name: output.name, ...typeOf(output) }];
    case 'spread': {
      if (output.embed.form !== 'columns' || output.aggregation) return [];
      const source = output.embed.level.outputs.find(({ name }) => name === output.column);
      const candidates = source ? candidateOf(source) : [];
      return candidates.map((candidate) => ({ ...candidate, name: output.name }));
    }
    case 'aggregate':
    case 'embed':
      return [];
  }
}

function typeOf({ field, cast }: { readonly field: Field; readonly cast: string | undefined }): {
  readonly kind: ValueKind;
  readonly type: string;
} {
  if (cast !== undefined) return { kind: kindOfCast(cast), type: cast };
  const step = field.path.at(-1);
  if (step) return { kind: step.isText ? 'text' : 'jsonb', type: step.isText ? 'text' : 'jsonb' };
  const { valueKind, baseType } = field.source.column;
  return { kind: valueKind, type: baseType };
}

function kindOfCast(cast: string): ValueKind {
  const name = cast.replace(/^pg_catalog\./, '');
  return name === 'json' || name === 'jsonb' || name === 'text' ? name : 'other';
}

// The catalog writes such a type with its schema, in quotes where it needs them: `extensions.geometry`.
function schemaOf(type: string): string {
  const schema = type.slice(0, type.lastIndexOf('.'));
  return schema.startsWith('"') ? schema.slice(1, -1).replaceAll('""', '"') : schema;
}
