// Operations of a project that no controller describes: tables and functions, resumable uploads, edge functions, and the
// routes of the auth engine.
import { listAuthRoutes, routeFields } from '#libs/auth-engine';
import { maxOperations } from '#libs/rest-query';
import type { Json, Paths } from '#libs/web';
import { authPath, edgePath, restPath, resumablePath } from '#libs/wire';

import { AUTH_ANSWERS } from './auth-answers.js';
import { fieldExamples } from './examples.js';

const text = { type: 'string' };
const rows = { type: 'array', items: { type: 'object', additionalProperties: true } };
const json = (schema: object): Json => ({ content: { 'application/json': { schema } } });
const ok = (description: string, schema: object): Json => ({ description, ...json(schema) });
const query = (name: string, description: string, schema: object = text): Json => ({
  name,
  in: 'query',
  description,
  schema,
});
const prefer: Json = {
  name: 'Prefer',
  in: 'header',
  description:
    'What the answer holds: `return=representation`, `count=exact`, `resolution=merge-duplicates`, …',
  schema: text,
};
const filters: readonly Json[] = [
  query('select', 'Columns and related rows: `name,moons,author:authors(name)`'),
  query('order', 'Columns to sort by: `moons.desc,name`'),
  query('limit', 'How many rows at most', { type: 'integer', minimum: 0 }),
  query('offset', 'How many rows are left out before', { type: 'integer', minimum: 0 }),
];
const body = { required: true, ...json({ oneOf: [{ type: 'object' }, rows] }) };
const empty = { description: 'Done; nothing was asked back' };
const tableAbout =
  'Any other query parameter is a filter: `moons=gt.20`. `GET /rest/v1/` describes the tables of the project with their columns. Policies of the database decide which rows the caller may reach.';

function rest(operationId: string, summary: string, more: Json): Json {
  return { operationId: `RestController.${operationId}`, tags: ['rest'], summary, ...more };
}

const tables: Paths = {
  [`${restPath}/{table}`]: {
    get: rest('readRows', 'Read rows of a table', {
      description: tableAbout,
      parameters: [...filters, prefer],
      responses: { 200: ok('The rows', rows), 206: ok('A part of the rows', rows) },
    }),
    head: rest('countRows', 'Read the headers of a read, such as the count', {
      parameters: [...filters, prefer],
      responses: { 200: { description: 'The headers' } },
    }),
    post: rest('insertRows', 'Insert or upsert rows', {
      parameters: [
        query('columns', 'The columns that are written'),
        query('on_conflict', 'The columns of the key of an upsert'),
        prefer,
      ],
      requestBody: body,
      responses: {
        201: ok('The rows, when they were asked for', rows),
        200: ok('The rows of an upsert', rows),
      },
    }),
    patch: rest('updateRows', 'Update the rows that the filters choose', {
      parameters: [...filters, prefer],
      requestBody: { required: true, ...json({ type: 'object' }) },
      responses: { 200: ok('The rows, when they were asked for', rows) },
    }),
    delete: rest('deleteRows', 'Delete the rows that the filters choose', {
      parameters: [...filters, prefer],
      responses: { 200: ok('The rows, when they were asked for', rows) },
    }),
  },
  [`${restPath}/rpc/{function}`]: {
    get: rest('callReading', 'Call a function that only reads', {
      description: 'Arguments are query parameters.',
      responses: { 200: ok('What the function returns', {}) },
    }),
    post: rest('call', 'Call a function', {
      parameters: [prefer],
      requestBody: { ...json({ type: 'object', description: 'The arguments by their names.' }) },
      responses: { 200: ok('What the function returns', {}), 204: empty },
    }),
  },
  [`${restPath}/batch`]: {
    post: rest('batch', 'Run several writes in one transaction', {
      requestBody: {
        required: true,
        ...json({
          type: 'object',
          required: ['operations'],
          properties: {
            operations: {
              type: 'array',
              maxItems: maxOperations,
              items: {
                type: 'object',
                required: ['method', 'model'],
                properties: {
                  method: { enum: ['POST', 'PATCH', 'DELETE'] },
                  model: { ...text, description: 'The table.' },
                  query: { ...text, description: 'Filters and the rest of a query string.' },
                  body: {},
                },
              },
            },
          },
        }),
      },
      responses: { 200: ok('The result of each write', {}) },
    }),
  },
};

const tusVersion: Json = {
  name: 'Tus-Resumable',
  in: 'header',
  required: true,
  schema: { const: '1.0.0' },
};
const tusHeader = (name: string, description: string, required: boolean): Json => ({
  name,
  in: 'header',
  description,
  required,
  schema: text,
});
const tus = (operationId: string, summary: string, more: Json): Json => ({
  operationId: `ResumableController.${operationId}`,
  tags: ['files'],
  summary,
  parameters: [tusVersion],
  ...more,
});
const bytes = {
  content: { 'application/offset+octet-stream': { schema: { ...text, format: 'binary' } } },
};

const resumable: Paths = {
  [resumablePath]: {
    post: tus('create', 'Begin an upload in parts (TUS 1.0)', {
      parameters: [
        tusVersion,
        tusHeader('Upload-Length', 'The length of the file in bytes', true),
        tusHeader('Upload-Metadata', '`bucket`, `path`, `filetype`, each value in base64', false),
      ],
      responses: { 201: { description: 'The header `Location` names the upload' } },
    }),
    options: tus('describe', 'Read which extensions of TUS there are', {
      parameters: [],
      responses: { 204: { description: 'In the headers' } },
    }),
  },
  [`${resumablePath}/{id}`]: {
    head: tus('offset', 'Read how far an upload is', {
      responses: { 200: { description: 'In the header `Upload-Offset`' } },
    }),
    patch: tus('append', 'Send the next part of an upload', {
      parameters: [tusVersion, tusHeader('Upload-Offset', 'Where the part begins', true)],
      requestBody: bytes,
      responses: { 204: { description: 'The header `Upload-Offset` says how far it is' } },
    }),
    delete: tus('terminate', 'Give an upload up', { responses: { 204: empty } }),
  },
};

const redirected = {
  302: { description: 'On to the page that the link or the sign-in named, `error` in its address' },
};
const otherAnswers: Readonly<Record<string, Json>> = {
  Page: {
    200: { description: 'A page that asks', content: { 'text/html': { schema: text } } },
    ...redirected,
  },
  Redirected: redirected,
  Xml: { 200: { description: 'The document', content: { 'application/xml': { schema: text } } } },
  Refused: {},
};
const jsonAnswers: Readonly<Record<string, Json>> = AUTH_ANSWERS;

type AuthRoute = ReturnType<typeof listAuthRoutes>[number];

/** Returns the successful answers of a route. Throws when auth-answers.ts has no schema of that name. */
function authResponses({ path, answer }: AuthRoute): Json {
  const schema = jsonAnswers[answer];
  const responses = schema === undefined ? otherAnswers[answer] : { 200: ok('The answer', schema) };
  if (responses === undefined)
    throw new Error(`${path} answers with ${answer}, which is not described`);
  return responses;
}

/** `/api/auth/sign-up/email` as `auth.signUpEmail`. */
function authId({ method, path }: AuthRoute, routes: readonly AuthRoute[]): string {
  const words = path
    .replace(authPath, '')
    .split(/[^a-zA-Z0-9]+/)
    .filter((word) => word !== '');
  const [first = '', ...others] = words;
  const name = first + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  const hasGet = routes.some((route) => route.path === path && route.method === 'GET');
  return `auth.${name}${method === 'POST' && hasGet ? 'Post' : ''}`;
}

function authOperation(route: AuthRoute, routes: readonly AuthRoute[]): Json {
  const { method, summary, needsSession } = route;
  const declared = routeFields(route).map(({ name, isRequired, isInExample, type }) => {
    const shown = isInExample ? { example: fieldExamples[name] } : {};
    return { name, required: isRequired, schema: { type, ...shown } };
  });
  const required = declared.filter((field) => field.required).map(({ name }) => name);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(declared.map((field) => [field.name, field.schema])),
    ...(required.length > 0 && { required }),
  };
  const type = route.body === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    operationId: authId(route, routes),
    tags: ['auth'],
    summary,
    responses: authResponses(route),
    security: needsSession ? [{ bearer: [] }] : [{}, { bearer: [] }],
    ...(method === 'GET' && { parameters: declared.map((field) => ({ in: 'query', ...field })) }),
    ...(method === 'POST' &&
      declared.length > 0 && {
        requestBody: { required: required.length > 0, content: { [type]: { schema } } },
      }),
  };
}

function authPaths(): Paths {
  const paths: Record<string, Record<string, Json>> = {};
  const routes = listAuthRoutes();
  for (const route of routes) {
    const shown = route.path.replaceAll(/:(\w+)/g, '{$1}');
    (paths[shown] ??= {})[route.method.toLowerCase()] = authOperation(route, routes);
  }
  return paths;
}

const edge = (operationId: string, summary: string): Json => ({
  operationId: `InvokeController.${operationId}`,
  tags: ['functions'],
  summary,
  description:
    'The function with the longest route that the path begins with answers, to every method. Its code decides about bodies and statuses.',
  parameters: [
    { name: 'path', in: 'path', required: true, schema: text, example: 'hello' },
    {
      name: 'x-service-edge-token',
      in: 'header',
      description: 'A token for functions, in the place of a session or a key',
      schema: text,
    },
  ],
  responses: {
    200: { description: 'What the function answers', content: { '*/*': { schema: {} } } },
  },
});

const functions: Paths = {
  [`${edgePath}/{path}`]: {
    get: edge('read', 'Call an edge function without a body'),
    post: {
      ...edge('call', 'Call an edge function'),
      requestBody: json({ description: 'Any body', example: { name: 'Ada' } }),
    },
  },
};

export const addedPaths: Paths = { ...tables, ...resumable, ...functions, ...authPaths() };
