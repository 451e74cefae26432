import type { Catalog, Table } from './catalog.js';
import {
  relationshipNotFound,
  severalRelationships,
  temporalKeyRefused,
} from './relationship-errors.js';
import type { RelationName, Relationship } from './relationship.js';
import { findTarget, findTemporalKey, waysFrom } from './ways.js';

/**
 * The relationship from `from` that a request names: by its target table, by the constraint or column of its key, or by
 * a computed relation, which takes precedence (PostgREST: Resource Embedding). Throws PGRST200 if there is none,
 * PGRST201 (300) with all candidates if there are several.
 */
export function findRelationship(catalog: Catalog, from: Table, name: RelationName): Relationship {
  const computed = findComputed(catalog, from, name.relation);
  if (computed) return computed;
  const { relation, hint } = name;
  const ways = waysFrom(catalog, from);
  const named = ways.filter((way) => way.names.includes(relation));
  const found = hint === undefined ? named : named.filter((way) => way.hints.includes(hint));
  const [first, second] = found;
  if (!first) {
    const temporal = findTemporalKey(catalog, from, relation);
    throw temporal
      ? temporalKeyRefused(from, name, temporal)
      : relationshipNotFound(from, name, { ways, named });
  }
  if (second) throw severalRelationships(from, name, found);
  return first.relationship;
}

function findComputed(catalog: Catalog, from: Table, name: string): Relationship | undefined {
  const relation = from.computedRelations.find((each) => each.name === name);
  const to = relation && findTarget(catalog, relation.table);
  if (!to) return undefined;
  const { cardinality, routine, isDefiner } = relation;
  return { kind: 'computed', cardinality, from, to, routine, isDefiner };
}
