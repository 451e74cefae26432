export type {
  Argument,
  Catalog,
  Column,
  ColumnDefault,
  ComputedColumn,
  ComputedRelation,
  ForeignKey,
  Routine,
  RoutineName,
  RoutineResult,
  Table,
  UniqueKey,
  ValueKind,
  ValueType,
} from './catalog.js';
export { blockedNames, findExposedTable, isExposed } from './exposure.js';
export { buildCatalog, type CatalogQuery, loadCatalog, readCatalog } from './load.js';
export { CATALOG_SQL } from './load.sql.js';
export { builtInCastType } from './plain-types.js';
export { nearestName } from './nearest.js';
export type { ColumnPair, RelationName, Relationship } from './relationship.js';
export { findRelationship } from './relationships.js';
export { argumentNames, hasFixedArguments, isListedRoutine, listRoutines } from './routines.js';
export { shorten } from './shorten.js';
