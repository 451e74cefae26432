// Routes that one handler answers under several paths, over all routes of the application: a CAPTCHA rule for one of the
// paths guards the others, or it guards nothing.
import { describe, expect, test } from 'vitest';

import type { ApiRoute } from '#apps/api';
import { buildCaptcha } from '#libs/captcha';

import { projectRoutes } from '../isolation/api-routes.js';

const all = await projectRoutes();
// A preflight is never guarded. The pages of the documentation share a rule, and each has a handler of its own.
const routes = all.filter(
  ({ method, path }) => method !== 'OPTIONS' && !path.startsWith('/api/docs'),
);

/** What a handler states with `@Access` is one object for all its paths. */
const sameHandler = (one: ApiRoute, other: ApiRoute): boolean =>
  one.access === other.access && one.method === other.method;

const alike = routes
  .filter((route, index) => routes.findIndex((other) => sameHandler(route, other)) === index)
  .map((route) => routes.filter((other) => sameHandler(route, other)))
  .filter((group) => group.length > 1);

const pathOf = ({ path }: ApiRoute): string => path.replace(/:\w+|\*/g, 'x');
const captchaOf = (rule: string) =>
  buildCaptcha(
    {
      captchaEnabled: true,
      captchaProvider: 'turnstile',
      captchaAuthEndpoints: [],
      captchaRoutes: [rule],
    },
    () => Promise.reject(new Error('no proof is checked here')),
  );

test('there are such routes', () => {
  expect(alike.map((group) => group.map(({ path }) => path))).toEqual(
    expect.arrayContaining([
      ['/rest/v1/:table', '/api/rest/v1/:table'],
      ['/rest/v1/batch', '/api/rest/v1/batch'],
      ['/api/admin/sql', '/admin/sql'],
    ]),
  );
});

describe.each(alike.map((group) => ({ name: group.map(({ path }) => path).join(', '), group })))(
  '$name',
  ({ group }) => {
    test.each(group.map((route) => ({ rule: `${route.method} ${pathOf(route)}` })))(
      '$rule guards all',
      ({ rule }) => {
        const captcha = captchaOf(rule);
        const open = group.filter((route) => !captcha.guards(route.method, pathOf(route)));
        expect(open.map(({ path }) => path)).toEqual([]);
      },
    );
  },
);
