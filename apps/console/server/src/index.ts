export { createConsoleApp } from './create-app.js';
export { ConsoleDeps, type Mail } from './http/console-deps.js';
export { listRoutes, type ConsoleRoute } from './http/route-table.js';
