// Operators and administrators find in the console what the descriptions of its API and of the API of projects list:
// each route is requested by a screen, or is in the list of those that none needs. The types of the requests are written
// from the descriptions (api-types.pg.test.ts), so their text is read here.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const pages = 'apps/console/web/src';
const contentOf = (file: string): string => readFileSync(join(pages, file), 'utf8');

/** Routes without a screen, each with its reason. */
const withoutScreen: Readonly<Record<string, string>> = {
  'GET /livez': 'for the monitoring of the process',
  'GET /readyz': 'for the monitoring of the process',
  'GET /client.js': 'apps load it',
  'GET /client-channels.js': 'apps load it',
  'GET /client.tgz': 'apps install it',
  'GET /platform/organizations/{organizationId}': 'the list of organizations has the same',
  'GET /platform/organizations/{organizationId}/members': 'the list of memberships has them',
  'POST /platform/organizations/{organizationId}/members': 'an invitation does the same',
  'GET /api/admin/users/{id}/factors': 'the details of a user have them',
  'GET /api/admin/settings/{group}': 'the values are read with their sources',
  'GET /api/admin/sso/providers/{providerId}': 'the list of providers has the same',
  'GET /api/admin/realtime/feed': 'for command lines; the screen reads its figures again',
  'GET /api/admin/storage/buckets/{slug}': 'the list of buckets has the same',
  'GET /api/admin/storage/buckets/{slug}/cors': 'the list of buckets has them',
  'DELETE /api/admin/storage/buckets/{slug}/cors': 'to save no rule does the same',
  'GET /api/admin/storage/buckets/{slug}/webhooks/{id}': 'the list of webhooks has the same',
};

/** Requests whose bodies or answers no description types: the file that makes each, and its words for the path. */
const untyped: Readonly<Record<string, readonly [file: string, words: string]>> = {
  'POST /api/admin/rows/{table}': ['screens/tables/save.ts', '/api/admin/rows/${'],
  'POST /api/admin/realtime/inspect': ['screens/realtime/stream.ts', '/api/admin/realtime/inspect'],
  'GET /api/admin/requests/feed': ['screens/requests/queries.ts', '/api/admin/requests/feed'],
  'GET /api/admin/types': ['screens/api/queries.ts', '/api/admin/types'],
  'GET /api/admin/rest/docs': ['screens/api/start-page.tsx', '/api/admin/rest/docs'],
  'GET /api/admin/rest/docs/openapi.json': [
    'screens/api/queries.ts',
    '/api/admin/rest/docs/openapi.json',
  ],
};

/** `GET /livez` for each route that one of the two files of types has. */
function routesIn(file: string): readonly string[] {
  const paths = contentOf(file).split('\nexport type webhooks')[0] ?? '';
  return paths.split(/\n {4}"(?=\/)/).flatMap((part) => {
    const path = part.slice(0, part.indexOf('"'));
    return [...part.matchAll(/\n {8}(get|put|post|patch|delete): operations/g)].map(
      ([, method = '']) => `${method.toUpperCase()} ${path}`,
    );
  });
}

/**
 * Those below are listed by the project; files of projects are for apps, and screens use some of their routes; functions
 * are deployed and administered by commands.
 */
const isOfOthers = (route: string): boolean =>
  / \/platform\/projects\/\{ref\}\/api\/\{path\}$| \/api\/(?:files|admin\/functions)(?:\/|$)/.test(
    route,
  );

/** The requests of a text by the typed clients. A path is a literal, or a constant of the same text. */
function requestsIn(text: string): readonly string[] {
  const constants = [...text.matchAll(/const (\w+) =\s*['`]((?:\/|\$\{)[^'`]*)['`]/g)];
  const filled = (path: string): string =>
    path.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => valueOf(name));
  const valueOf = (name: string): string => {
    const found = constants.find(([, constant]) => constant === name)?.[2];
    if (found === undefined) throw new Error(`${name} is no constant path`);
    return filled(found);
  };
  const calls = text.matchAll(/\.(GET|PUT|POST|PATCH|DELETE)\(\s*(?:['`]([^'`]*)['`]|(\w+))?/g);
  return [...calls].map(([call, method = '', path, name]) => {
    if (path === undefined && name === undefined) throw new Error(`${call} has no constant path`);
    return `${method} ${path === undefined ? valueOf(name ?? '') : filled(path)}`;
  });
}

const described = ['api/schema.ts', 'api/project-schema.ts']
  .flatMap(routesIn)
  .filter((route) => !isOfOthers(route));

test('the descriptions are read', () => {
  expect(described).toContain('PATCH /platform/projects/{ref}');
  expect(described).toContain('PATCH /api/admin/sso/providers/{providerId}');
  expect(described.length).toBeGreaterThan(150);
});

test.each([
  ["answer(api.GET('/livez'))", ['GET /livez']],
  ["answer(\n  client.PUT(\n    '/a/{id}', {}))", ['PUT /a/{id}']],
  ["const a = '/a' as const;\nconst b = `${a}/b` as const;\nx.POST(`${b}/c`)", ['POST /a/b/c']],
  ["const path = '/a';\nx(ref).DELETE(path, {})", ['DELETE /a']],
])('the requests of %j', (text, requests) => {
  expect(requestsIn(text)).toEqual(requests);
});

test('each route has a screen that requests it, or a reason to have none', () => {
  const requested = new Set(Object.keys(untyped));
  for (const file of readdirSync(pages, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || file.endsWith('.test.ts')) continue;
    for (const request of requestsIn(contentOf(file))) requested.add(request);
  }
  const missing = described.filter((route) => !requested.has(route));
  expect(missing.toSorted()).toEqual(Object.keys(withoutScreen).toSorted());
});

test.each(Object.entries(untyped))('%s is requested without types', (_, [file, words]) => {
  expect(contentOf(file)).toContain(words);
});
