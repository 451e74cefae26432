export { restDocument, type DocumentInput } from './document.js';
export type { OpenApiDocument } from './openapi.js';
export { readRights, rightsQuery, type CallerRights } from './rights.js';
