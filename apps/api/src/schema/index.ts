export { isExposedTable, isOfNoExtension, isOfProject, primaryKeyOf } from './catalog-parts.sql.js';
