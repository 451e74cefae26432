// The descriptions of both applications: every route that is served is described, once, with what it takes and
// answers, and what is described is served.
import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, vi, test } from 'vitest';

import { listAuthRoutes } from '#libs/auth-engine';

import { describeAnswers } from '../../scripts/describe-answers.mjs';
import { projectRoutes } from '../isolation/api-routes.js';
import { asRecord, Deployment } from '../support/deployment.js';
import { send } from '../support/http.js';
import type { ProjectUnderTest } from '../support/project.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

type Operation = Readonly<Record<string, unknown>> & { readonly where: string };

let deployment: Deployment;
let project: ProjectUnderTest;
let documents: Readonly<Record<'project' | 'console', Record<string, unknown>>>;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  const [ofProject, ofConsole] = await Promise.all([
    project.send({ path: '/api/docs/json' }),
    send(deployment.consoleOrigin, { path: '/docs/json' }),
  ]);
  documents = { project: asRecord(ofProject.body), console: asRecord(ofConsole.body) };
});
afterAll(() => deployment.close());

function operationsOf(document: Record<string, unknown>): readonly Operation[] {
  return Object.entries(asRecord(document['paths'])).flatMap(([path, item]) =>
    Object.entries(asRecord(item)).map(([verb, operation]) => ({
      ...asRecord(operation),
      where: `${verb.toUpperCase()} ${path}`,
    })),
  );
}

/** `POST /api/auth/callback/:provider` as a description names it. */
const described = (path: string) => path.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{path}');

/** Methods that one route answers besides those that are worth describing. */
const documentedMethods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
/** Routes of any method: those that have a meaning are described by hand. */
const anyMethod =
  /^\/(?:rest\/v1\/(?:\{table\}|rpc\/)|api\/files\/resumable|api\/edge\/|api\/auth\/\{)/;

test('every route of a project is described, and none twice', async () => {
  const wheres = operationsOf(documents.project).map(({ where }) => where);
  expect(wheres.length).toBe(new Set(wheres).size);
  expect(wheres.filter((where) => / \/admin\//.test(where))).toEqual([]);
  const served = (await projectRoutes())
    .filter(({ path }) => !path.startsWith('/admin/') && !path.startsWith('/api/docs'))
    .map(({ method, path }) => ({ method, path: described(path) }))
    .filter(({ method, path }) => documentedMethods.has(method) && !anyMethod.test(path))
    .filter(({ path }) => !path.startsWith('/api/auth/{path}'))
    // The way of operators to the routes of `/rest/v1`, which are described.
    .filter(({ path }) => !path.startsWith('/api/rest/v1/'))
    .map(({ method, path }) => `${method} ${path.replace(/(.)\/$/, '$1')}`);
  expect(served.length).toBeGreaterThan(150);
  expect(served.filter((route) => !wheres.includes(route))).toEqual([]);
});

test('every path of the description of a project is served', async () => {
  const served = new Set(
    (await projectRoutes()).map(({ method, path }) => `${method} ${described(path)}`),
  );
  const isServed = (where: string) => {
    const [method = '', path = ''] = where.split(' ');
    return [path, `${path}/`].some((each) => served.has(`${method} ${each}`));
  };
  const accounts = new Set(
    listAuthRoutes().map(({ method, path }) => `${method} ${described(path)}`),
  );
  const wheres = operationsOf(documents.project).map(({ where }) => where);
  const ofServer = /^GET \/(?:livez|readyz|metrics|client\.tgz|client(?:-channels)?\.js|ws)$/;
  expect(
    wheres.filter((where) => !isServed(where) && !accounts.has(where) && !ofServer.test(where)),
  ).toEqual([]);
});

test('every route of accounts is described, with its summary', () => {
  const wheres = new Set(operationsOf(documents.project).map(({ where }) => where));
  const routes = listAuthRoutes().map(({ method, path }) => `${method} ${described(path)}`);
  expect(routes.filter((route) => !wheres.has(route))).toEqual([]);
  const listed = [...wheres].filter((where) => where.includes(' /api/auth/'));
  expect(listed.filter((where) => !routes.includes(where))).toEqual([]);
});

test.each([
  '/livez',
  '/readyz',
  '/metrics',
  '/api/health-check',
  '/rest/v1/{table}',
  '/rest/v1/batch',
  '/rest/v1/rpc/{function}',
  '/api/files/resumable/{id}',
])('the description of a project has %s', (path) =>
  expect(asRecord(documents.project['paths'])).toHaveProperty([path]),
);

describe.each(['project', 'console'] as const)('in the description of the %s', (name) => {
  const operations = () => operationsOf(documents[name]);
  const lacking = (isThere: (operation: Operation) => boolean) =>
    operations()
      .filter((operation) => !isThere(operation))
      .map(({ where }) => where);

  test('each operation has a summary that begins with a capital letter and is one line', () => {
    expect(lacking(({ summary }) => /^[A-Z][^\n]{3,120}$/.test(String(summary)))).toEqual([]);
  });

  test('ids are unique and fit into an address', () => {
    const ids = operations().map(({ operationId }) => String(operationId));
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z]\w*(?:\.\w+)?$/.test(id))).toEqual([]);
  });

  test('each has the parameters of its path, and no others', () => {
    const named = ({ parameters }: Operation) =>
      [parameters]
        .flat()
        .map(asRecord)
        .filter((each) => each['in'] === 'path')
        .map((each) => String(each['name']));
    const wanted = ({ where }: Operation) =>
      [...where.matchAll(/\{(\w+)\}/g)].map(([, each]) => each);
    expect(lacking((each) => named(each).sort().join() === wanted(each).sort().join())).toEqual([]);
  });

  test('each says what it answers, and that errors have the one shape', () => {
    const statuses = ({ responses }: Operation) => Object.keys(asRecord(responses));
    expect(lacking((each) => statuses(each).some((status) => /^[234]/.test(status)))).toEqual([]);
    expect(lacking((each) => statuses(each).includes('default'))).toEqual([]);
    const hasContent = ({ where, responses }: Operation) => {
      const answer = asRecord(
        asRecord(responses)['200'] ?? asRecord(responses)['201'] ?? { content: 1 },
      );
      return where.startsWith('HEAD') || answer['content'] !== undefined;
    };
    const withoutBody =
      /^(?:POST \/api\/files\/resumable|DELETE \/api\/users)$| \/platform\/projects\/\{ref\}\/api\//;
    expect(lacking(hasContent).filter((where) => !withoutBody.test(where))).toEqual([]);
  });

  test('each says who may call it, by schemes that exist', () => {
    const { securitySchemes } = asRecord(documents[name]['components']);
    const schemes = new Set(Object.keys(asRecord(securitySchemes)));
    expect(schemes.size).toBeGreaterThan(0);
    expect(lacking(({ security }) => Array.isArray(security) && security.length > 0)).toEqual([]);
    const used = operations().flatMap(({ security }) =>
      [security].flat().flatMap((each) => Object.keys(asRecord(each))),
    );
    expect(used.filter((scheme) => !schemes.has(scheme))).toEqual([]);
  });

  test('each reference leads to a component', () => {
    const text = JSON.stringify(documents[name]);
    const components = asRecord(documents[name]['components']);
    const broken = [...text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)]
      .filter(([, group = '', entry = '']) => !(entry in asRecord(components[group])))
      .map(([reference]) => reference);
    expect(broken).toEqual([]);
    expect(text).not.toContain('"nullable"');
  });
});

test('the description names the project of its host', () => {
  expect(documents.project['info']).toMatchObject({
    title: expect.stringMatching(/^Test t\w+: API$/),
  });
});

test('the answers are those of the types of the controllers (npm run describe)', () => {
  for (const [path, text] of Object.entries(describeAnswers())) {
    expect([path, readFileSync(path, 'utf8') === text]).toEqual([path, true]);
  }
});

test('the description is served as JSON alone: writing it as YAML takes longer than a request may', async () => {
  expect((await project.send({ path: '/api/docs/yaml' })).status).toBe(404);
});
