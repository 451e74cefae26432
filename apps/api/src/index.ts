export { createApiApp } from './create-app.js';
export { declaredRoutes } from './declared-routes.js';
export type { ApiDeps } from './http/api-deps.js';
export { localServer } from './http/local-requests.js';
export { type ApiRoute, listRoutes } from './http/route-table.js';
