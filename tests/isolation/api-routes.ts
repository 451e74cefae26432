// The routes of the API as a table of requests. The routes come from the application, so that a new one is
// tried without a change here; what a route is sent may be made more telling below.
import { type ApiRoute, createApiApp, listRoutes } from '#apps/api';
import { ConnectionBudget, ReplyBudget } from '#libs/database';
import { ProjectRegistry, type ProjectRuntime } from '#libs/project-runtime';
import { pino } from 'pino';

import type { Call } from '../support/http.js';
import type { SeededProject } from './neighbors.js';

/** A route and the requests that try it. */
export interface TriedRoute extends ApiRoute {
  readonly name: string;
  readonly calls: readonly Call[];
}

/** Routes that take any method also take those of WebDAV; none of them leads anywhere. */
const methods = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** Asked for by the documentation page, the same for all projects: one file stands for all. */
const isDocsFile = (path: string) => /^\/api\/docs\/(?:docs\/|.*\*|.*\.)/.test(path);

/** Every route that belongs to a project, from an application of this process that never listens. */
export async function projectRoutes(): Promise<readonly ApiRoute[]> {
  const app = await createApiApp({
    registry: emptyRegistry(),
    budget: new ConnectionBudget(),
    replies: new ReplyBudget({ memoryBytes: 0, spoolBytes: 0, minFreeBytes: 0, folder: '' }),
    assertionKey: Buffer.alloc(32),
    metricsToken: undefined,
    trustProxy: [],
    log: pino({ level: 'silent' }),
    now: Date.now,
    checkReady: () => Promise.resolve(),
  });
  const routes = listRoutes(app);
  await app.close();
  return routes.filter(
    ({ method, path, servedBy }) =>
      methods.has(method) && servedBy !== 'server' && !isDocsFile(path),
  );
}

/** The requests for each route: with ids and names of both projects in the places of its parameters. */
export function tryRoutes(
  routes: readonly ApiRoute[],
  { a, b }: { readonly a: SeededProject; readonly b: SeededProject },
): readonly TriedRoute[] {
  // Ids of users, the number that the first row of a table gets, and a path.
  const generic = [a.user.id, b.user.id, '1', `${a.project.ref}/photo.png`];
  const ofFiles = {
    ':slug': ['docs'],
    ':bucket': ['docs'],
    ':id': [a.fileId, b.fileId],
    ':deliveryId': [b.fileId],
    '*': ['photo.txt', b.fileId],
  };
  const ofCalls = { ':id': [...a.calls, ...b.calls], ':delivery': ['all', '1'] };
  const known = (path: string) =>
    isFileRoute.test(path) ? ofFiles : isCallRoute.test(path) ? ofCalls : values;
  return routes.map((route) => ({
    ...route,
    name: `${route.method} ${route.path}`,
    calls: pathsOf(route.path, generic, known(route.path)).flatMap((path) =>
      callsOf(route.method, path, b),
    ),
  }));
}

const isFileRoute = /^(?:\/api)?(?:\/admin)?\/(?:files|storage)(?:\/|$)/;

const isCallRoute = /\/admin\/functions\/(?:triggers|schedules)\//;

/** Values of parameters that lead to something; every other parameter gets ids of A and of B. */
const values: Readonly<Record<string, readonly string[]>> = {
  ':table': ['notes', 'posts'],
  ':function': ['my_notes'],
  ':group': ['auth.methods.emailPassword', 'security.keys'],
};

function pathsOf(
  path: string,
  generic: readonly string[],
  known: typeof values,
): readonly string[] {
  const parameter = /:\w+|\*/.exec(path)?.[0];
  if (parameter === undefined) return [path];
  const fitting = generic.filter((value) => parameter === '*' || !value.includes('/'));
  const fill = known[parameter] ?? fitting;
  return fill.flatMap((value) => pathsOf(path.replace(parameter, value), generic, known));
}

const bodies: Readonly<Record<string, unknown>> = {
  '/api/admin/sql': { query: `insert into posts values (99, 'written by a neighbor')` },
  '/admin/sql': { query: `insert into posts values (98, 'written by a neighbor')` },
  '/rest/v1/notes': { id: 99, text: 'written by a neighbor' },
  '/rest/v1/posts': { id: 99, text: 'written by a neighbor' },
  '/rest/v1/batch': {
    operations: [
      { method: 'POST', model: 'notes', body: { id: 97, text: 'written by a neighbor' } },
      { method: 'DELETE', model: 'notes', query: 'id=gte.0' },
    ],
  },
  '/api/admin/rows/notes': {
    changes: [{ kind: 'insert', values: { id: '96', text: 'written by a neighbor' } }],
  },
  '/api/files/remove': { bucket: 'docs', paths: ['photo.txt'] },
  '/api/files/copy': { bucket: 'docs', from: 'photo.txt', to: 'copy.txt' },
  '/api/files/move': { bucket: 'docs', from: 'photo.txt', to: 'moved.txt' },
  '/api/users/username': { username: 'neighbor' },
  '/api/users/image': { image: 'https://example.org/neighbor.png' },
  '/api/auth/update-user': { name: 'neighbor' },
};
const bodyless = new Set(['GET', 'HEAD', 'OPTIONS']);

function callsOf(method: string, path: string, b: SeededProject): readonly Call[] {
  // Tables are below `/api` as well, where the console reaches them.
  const rest = path.replace(/^\/api(?=\/rest\/)/, '');
  const isRest = rest.startsWith('/rest/');
  if (path === '/storage/v1/render/image') {
    return [{ method, path: `${path}?bucket=docs&path=photo.txt&width=10` }];
  }
  if (path === '/api/files') return [formCall(method, path)];
  // Answers until the time that it is given is over.
  if (/\/(?:feed|stream)$/.test(path)) return [{ method, path: `${path}?seconds=1` }];
  const queries = isRest ? ['', `?id=gte.0&owner=eq.${b.user.id}`, '?id=eq.1'] : [''];
  return queries.map((query) => ({
    method,
    path: `${path}${query}`,
    ...(!bodyless.has(method) && { body: bodies[rest] ?? {} }),
  }));
}

/** An upload as a form, which is what the route takes. */
function formCall(method: string, path: string): Call {
  return {
    method,
    path,
    headers: { 'content-type': 'multipart/form-data; boundary=part' },
    body: '--part\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n--part--\r\n',
  };
}

function emptyRegistry(): ProjectRegistry<ProjectRuntime> {
  const nothing = () => Promise.resolve(undefined);
  return new ProjectRegistry<ProjectRuntime>({
    rootDomain: 'localhost',
    defaultRef: undefined,
    maxLive: 1,
    drainMs: 0,
    findByRef: nothing,
    findByDomain: nothing,
    listVersions: () => Promise.resolve([]),
    noteUse: () => Promise.resolve(),
    open: () => Promise.reject(new Error('this application serves no project')),
    reload: () => Promise.resolve(),
    now: Date.now,
    onError: () => undefined,
  });
}
