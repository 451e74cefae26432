export type { Catalog, Column, ColumnDefault, ForeignKey, Table, UniqueKey } from './catalog.js';
export { findExposedTable } from './exposure.js';
export { loadCatalog, type CatalogQuery } from './load.js';
export { nearestName } from './nearest.js';
