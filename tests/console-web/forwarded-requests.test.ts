// The audit page says in words what a forwarded request did; each request that it lists is a route of the API,
// and it lists each route of administrators that changes something.
import { declaredRoutes } from '#apps/api';
import { expect, test } from 'vitest';

import { ACTIONS } from '../../apps/api/src/users/admin/change-user.js';
import {
  REQUESTS,
  requestInWords,
} from '../../apps/console/web/src/screens/audit/forwarded-requests.js';

/** A route of its own for each action that one route takes. */
const withActions = (path: string): readonly string[] =>
  path.endsWith('/:action')
    ? Object.keys(ACTIONS).map((action) => path.replace(':action', action))
    : [path];

/** A path without the names of its parameters. */
const formOf = (path: string) => path.replaceAll(/:\w+/g, ':');

test('each request with words of its own is a route of the API', () => {
  const routes = declaredRoutes().flatMap(({ method, path }) =>
    withActions(path).map((each) => `${method} ${formOf(each)}`),
  );
  const unknown = REQUESTS.map(([request]) => request).filter((request) => {
    const [method = '', path = ''] = request.split(' ');
    const isRoute = (each: string) => routes.includes(`${each} ${formOf(`/api${path}`)}`);
    return !isRoute(method) && !isRoute('ALL');
  });
  expect(unknown).toEqual([]);
});

test('each route of administrators that changes something has words of its own', () => {
  const requests = declaredRoutes()
    .filter(({ method, path }) => method !== 'GET' && path.startsWith('/api/admin/'))
    .flatMap(({ method, path }) => withActions(path).map((each) => `${method} ${each}`));
  const withoutWords = requests.filter(
    (target) =>
      requestInWords({ action: 'project.request', target, before: null, after: null }) === target,
  );
  expect(withoutWords).toEqual([]);
});
