import type { ValueKind, ValueType } from './catalog.js';
import type { TypeRow } from './content.js';

/** A type of a column, an argument or a result. */
export interface LoadedType {
  readonly value: ValueType;
  /** `void`, `record`, `trigger`, `anyelement` …: no type of a stored value. */
  readonly isPseudo: boolean;
  /** Oid of the table or composite type whose rows are its values. Undefined for a domain over one. */
  readonly relationOid: number | undefined;
  /** The same for a domain over such a type. */
  readonly domainOverOid: number | undefined;
  /**
   * Its values print names of roles or databases, which all projects of the cluster share; requests can neither read
   * nor send them.
   */
  readonly isOfCluster: boolean;
}

export type TypeByKey = (key: string) => LoadedType;

const KINDS: ReadonlySet<string> = new Set<ValueKind>([
  'json',
  'jsonb',
  'array',
  'composite',
  'text',
  'tsvector',
  'geometry',
]);
const UNKNOWN: LoadedType = {
  value: { type: 'text', baseType: 'text', elementType: undefined, valueKind: 'other' },
  isPseudo: true,
  relationOid: undefined,
  domainOverOid: undefined,
  isOfCluster: false,
};

/** Finds the types of CATALOG_SQL by their keys. Equal types are one object. */
export function buildTypes(rows: readonly TypeRow[]): TypeByKey {
  const types = new Map(rows.map((row) => [row[0], buildType(row)]));
  return (key) => types.get(key) ?? UNKNOWN;
}

function buildType(row: TypeRow): LoadedType {
  const [, type, baseType, elementType, kind, relationOid, isDomain, isOfCluster] = row;
  return {
    value: {
      type,
      baseType,
      elementType: elementType ?? undefined,
      valueKind: isKind(kind) ? kind : 'other',
    },
    isPseudo: kind === 'pseudo',
    relationOid: relationOid === 0 || isDomain ? undefined : relationOid,
    domainOverOid: relationOid !== 0 && isDomain ? relationOid : undefined,
    isOfCluster,
  };
}

function isKind(text: string): text is ValueKind {
  return KINDS.has(text);
}
