export { lockDataFolder } from './data-folder-lock.js';
export { type EmbeddedPostgres, openEmbeddedPostgres } from './embedded-postgres.js';
export { freePort } from './ports.js';
export { findEmbeddedPostgres, type FoundPostgres } from './running-postgres.js';
export { PostgresServerError } from './postgres-server-error.js';
export type { ServerLog } from './server-log.js';
export { connectionSettings } from './server-settings.js';
