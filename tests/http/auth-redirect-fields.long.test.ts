// No request to any route of the running application leads its browser away: every field that could name an
// address, in the query and in the body, with every address that only looks as if it were allowed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ApiRoute } from '#apps/api';

import { EVIL_TARGETS } from '../auth-engine/mail-links.js';
import { projectRoutes } from '../isolation/api-routes.js';
import type { Call, Reply } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';
import { outcomeOf, site, type CompleteProject, openCompleteProject } from './complete-project.js';
import { leadsAway, REDIRECTING } from './redirects.js';

/** Fields that name where to go on, with the refusal of the auth engine. */
const TARGET_FIELDS = {
  callbackURL: '403 INVALID_CALLBACK_URL',
  redirectTo: '403 INVALID_REDIRECT_URL',
  errorCallbackURL: '403 INVALID_ERROR_CALLBACK_URL',
  newUserCallbackURL: '403 INVALID_NEW_USER_CALLBACK_URL',
} as const;
/** Other names that such a field has elsewhere, and what the routes of providers and links are sent. */
const OTHER_FIELDS = [
  'callbackUrl',
  'redirect_to',
  'redirect_uri',
  'redirectURI',
  'redirect',
  'returnTo',
  'return_to',
  'next',
  'url',
  'target',
  'RelayState',
  'state',
  'errorURL',
];

// The routes are the rows of the tables below, so the application is asked before the tests are named.
const preflights = new Set(['HEAD', 'OPTIONS']);
const routes = (await projectRoutes()).filter(
  ({ method, path }) => !preflights.has(method) && !/^\/rest\/|\*$/.test(path),
);
const engineRoutes = routes.filter(({ path }) => path.startsWith('/api/auth/'));
const named = (each: readonly ApiRoute[]) =>
  each.map((route) => ({ ...route, name: `${route.method} ${route.path}` }));
const isForm = ({ path }: ApiRoute) => REDIRECTING.has(`POST ${path}`);

let complete: CompleteProject;
let project: ProjectUnderTest;
beforeAll(async () => {
  complete = await openCompleteProject();
  ({ project } = complete);
});
afterAll(() => complete.close());

const filled = (path: string) =>
  path
    .replace('oauth2/callback/:providerId', 'oauth2/callback/acme')
    .replace(':provider', 'github')
    .replace(/:\w+/g, 'abc');
const withQuery = (path: string, fields: Readonly<Record<string, string>>) =>
  `${filled(path)}?${new URLSearchParams(fields).toString()}`;
const asForm = (fields: Readonly<Record<string, string>>) => ({
  body: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});

/** The requests that bring `fields` to a route: in the query, and in the body where there is one. */
function callsWith(route: ApiRoute, fields: Readonly<Record<string, string>>): readonly Call[] {
  const { method } = route;
  const byQuery = { method, path: withQuery(route.path, fields) };
  if (method === 'GET') return [byQuery];
  const byBody = { method, path: filled(route.path) };
  return [
    { ...byQuery, ...(isForm(route) ? asForm({}) : { body: {} }) },
    { ...byBody, ...(isForm(route) ? asForm(fields) : { body: fields }) },
  ];
}

/** As an administrator where only they get anything; the routes of the engine as nobody. */
const send = (call: Call): Promise<Reply> =>
  call.path.startsWith('/api/auth/') ? project.send(call) : project.asService(call);

/** What went wrong: answers that lead away. */
async function findLeads(calls: readonly Call[]): Promise<readonly object[]> {
  const replies = await Promise.all(calls.map(async (call) => ({ call, reply: await send(call) })));
  return replies.flatMap(({ call, reply }) => {
    const lead = leadsAway(project, reply);
    return lead === undefined && reply.status < 500 ? [] : [{ call, status: reply.status, lead }];
  });
}

/** Whether a route may know the field: it refuses a good target for another reason than that it has no such field. */
async function mayTake(path: string, field: string): Promise<boolean> {
  const body = { [field]: `${site}/end` };
  const outcome = outcomeOf(await project.send({ method: 'POST', path, body }));
  return !['400 FIELD_NOT_ALLOWED', '401 UNAUTHORIZED'].includes(outcome);
}

describe('a request to act', () => {
  const acting = engineRoutes.filter((route) => route.method === 'POST' && !isForm(route));
  const fields = Object.entries(TARGET_FIELDS);

  test.each(named(acting))('$name refuses every foreign target', async (route) => {
    const path = filled(route.path);
    for (const [index, [field, refusal]] of fields.entries()) {
      // The check is one for all routes: one that has no such field gets each target in one field or the other.
      const isWhole = await mayTake(path, field);
      const targets = EVIL_TARGETS.filter((_, at) => isWhole || at % fields.length === index);
      const outcomes = await Promise.all(
        targets.map(async (target) => {
          const reply = await project.send({ method: 'POST', path, body: { [field]: target } });
          return { field, target, outcome: outcomeOf(reply) };
        }),
      );
      expect(outcomes).toEqual(targets.map((target) => ({ field, target, outcome: refusal })));
    }
  });
});

describe('any other request', () => {
  const others = routes.filter(
    (route) => !engineRoutes.includes(route) || route.method === 'GET' || isForm(route),
  );

  const redirects = ({ method, path }: ApiRoute) => REDIRECTING.has(`${method} ${path}`);

  test.each(named(others.filter(redirects)))('$name leads nowhere else', async (route) => {
    for (const target of EVIL_TARGETS) {
      const all = Object.fromEntries(OTHER_FIELDS.map((field) => [field, target]));
      const sets = [
        ...Object.keys(TARGET_FIELDS).map((field) => ({ token: 'abc', [field]: target })),
        { token: 'abc', ...all },
      ];
      expect(await findLeads(sets.flatMap((fields) => callsWith(route, fields)))).toEqual([]);
    }
  });

  // These redirect for no good target either, or the last test would find them: every field gets some of the targets.
  test.each(named(others.filter((route) => !redirects(route))))(
    '$name leads nowhere else',
    async (route) => {
      const target = (at: number) => EVIL_TARGETS[at % EVIL_TARGETS.length] ?? '';
      const isEngine = route.path.startsWith('/api/auth/');
      for (const first of [0, 4, 8]) {
        const single = Object.keys(TARGET_FIELDS).map((field, at) => ({
          token: 'abc',
          [field]: target(first + at),
        }));
        const all = OTHER_FIELDS.map((field, at) => [field, target(first + at)] as const);
        const sets = [...single, { token: 'abc', ...Object.fromEntries(all) }];
        const together = Object.fromEntries(sets.flatMap((each) => Object.entries(each)));
        // What the engine refuses for one field would hide the others.
        const tried = isEngine ? sets : [together];
        expect(await findLeads(tried.flatMap((fields) => callsWith(route, fields)))).toEqual([]);
      }
    },
  );
});

test('every route that redirects is in the table of those that are tried with real links', async () => {
  const good = Object.fromEntries(
    [...Object.keys(TARGET_FIELDS), ...OTHER_FIELDS].map((field) => [field, `${site}/taken`]),
  );
  const found = new Set<string>();
  for (const route of routes) {
    for (const call of callsWith(route, { token: 'abc', ...good })) {
      const { status } = await send(call);
      if (status >= 300 && status < 400) found.add(`${route.method} ${route.path}`);
    }
  }
  expect([...found].filter((name) => !REDIRECTING.has(name))).toEqual([]);
  expect(found.size).toBeGreaterThan(5);
  const names = new Set(named(routes).map(({ name }) => name));
  expect([...REDIRECTING].filter((name) => !names.has(name))).toEqual([]);
});
