export { createConsoleApp } from './create-app.js';
export type { DeploymentFacts } from './http/deployment-facts.js';
export { ConsoleDeps } from './http/console-deps.js';
export { listRoutes, type ConsoleRoute } from './http/route-table.js';
