// A route states facts that its declaration knows, and paths are stated by declarations. That each fact is read, shows
// route-facts-read.long.test.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

import { projectRoutes } from '../isolation/api-routes.js';
import { propertiesIn, sourcesIn } from './declared-facts.js';

test('no route states a fact that its declaration does not know', async () => {
  const source = ts.createSourceFile(
    'access.ts',
    readFileSync('apps/api/src/http/access.ts', 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const known = propertiesIn(source, ['RouteNeeds', 'RouteRule']).map(({ name }) => name.getText());
  // How the list of the suites names a route.
  const named = ['method', 'path'];
  const stated = new Set((await projectRoutes()).flatMap((route) => Object.keys(route)));
  expect([...stated].filter((name) => !known.includes(name) && !named.includes(name))).toEqual([]);
});

test('paths of the API and of the console are written in declarations alone', () => {
  // Not in comments, and not as code in a text. Controllers write paths without the first slash.
  const text =
    /(?<!^\s*(?:\/\/|\*|\/\*).*|\\)['"`](?:\/(?:api|auth|rest|storage|admin)|\/?platform)\/\w/;
  const expression = /\\\/(?:api|auth|rest|storage|admin|platform)\\\/\w/;
  const isPath = (line: string) => text.test(line) || expression.test(line);
  // The paths that declarations and other files share.
  const shared = /^export const \w+Path = /;
  // Controllers declare them, the client imports nothing of the server, and descriptions are written from comments.
  const declaring = /\.controller\.ts$|^libs\/sdk\/|\/docs\/answers\.ts$/;
  const libraries = readdirSync('libs').map((name) => `libs/${name}/src`);
  const found = ['apps/api/src', 'apps/console/server/src', 'bin', ...libraries]
    .flatMap(sourcesIn)
    .filter((file) => !declaring.test(file))
    .flatMap((file) => {
      const lines = readFileSync(resolve(file), 'utf8').split('\n');
      return lines
        .map((line) => `${file}: ${line}`)
        .filter((_, at) => isPath(lines[at] ?? '') && !shared.test(lines[at] ?? ''));
    });
  expect(found).toEqual([]);
});
