// Completes the OpenAPI 3.1 description of an application: combines what Nest reads from controllers and DTOs with the
// access rules of the routes, the types of their answers, and the operations that no controller describes.
import type { Steps } from '#libs/steps';
import { isRecord } from '#libs/wire';

import { errorResponses, errorSchema, refusalNames } from './api-errors.js';
import { exampleOf, type ExampleWords } from './api-examples.js';

/** A JSON value of a document; checked where it is used. */
export type Json = Record<string, unknown>;
/** Operations by path and method in lower case. */
export type Paths = Readonly<Record<string, Readonly<Record<string, Json>>>>;

/** Who may use a route, for the description. */
export type Openness = 'public' | 'protected';

export interface DocumentParts {
  /** From Nest: paths with operations whose ids are `Controller.method`. */
  readonly described: Paths;
  readonly schemas: Readonly<Record<string, object>>;
  /** Operations that no controller describes; they override described ones. */
  readonly added: Paths;
  /** Fields added to an operation, by `Controller.method`. */
  readonly details: Readonly<Record<string, Json>>;
  /** Schemas of answers, by `Controller.method`. */
  readonly answers: Readonly<Record<string, object>>;
  /** Examples of bodies, by `Controller.method`, for schemas that yield no valid example. */
  readonly examples: Readonly<Record<string, unknown>>;
  /** Examples of fields by their names, for schemas without one. */
  readonly fieldExamples: Readonly<Record<string, unknown>>;
  /** Whether a path is an alias of another path. */
  readonly isAlias: (path: string) => boolean;
  readonly opennessOf: (method: string, path: string) => Openness;
  /** The credentials of a route that requires one. */
  readonly credentials: readonly Json[];
  readonly securitySchemes: Json;
  readonly info: Json;
  readonly servers: readonly Json[];
  /** Tags with their descriptions, in display order. */
  readonly tags: Readonly<Record<string, string>>;
}

const verbs = new Set(['get', 'head', 'post', 'put', 'patch', 'delete', 'options']);

/** Returns the whole document, an operation in each step. */
export function* completeDocument(parts: DocumentParts): Steps<Json> {
  const paths: Record<string, Record<string, Json>> = {};
  for (const source of [parts.described, parts.added]) {
    for (const [path, item] of Object.entries(source)) {
      if (parts.isAlias(path)) continue;
      for (const [verb, operation] of Object.entries(item)) {
        if (verbs.has(verb))
          (paths[path] ??= {})[verb] = complete(parts, { path, verb, operation });
        yield;
      }
    }
  }
  const used = new Set(
    Object.values(paths).flatMap((item) => Object.values(item).flatMap(({ tags }) => tags)),
  );
  const document: Json = {
    openapi: '3.1.0',
    info: { license: { name: 'Apache-2.0', identifier: 'Apache-2.0' }, ...parts.info },
    servers: parts.servers,
    tags: Object.entries(parts.tags)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: parts.securitySchemes,
      schemas: { ...parts.schemas, Error: errorSchema },
      responses: errorResponses,
    },
  };
  return withoutUnused(asRecord(inNewStyle(document)));
}

interface Place {
  readonly path: string;
  readonly verb: string;
  readonly operation: Json;
}

function complete(parts: DocumentParts, { path, verb, operation }: Place): Json {
  const { operationId: given } = operation;
  const raw = (typeof given === 'string' ? given : '').replace(/\[\d+\]$/, '');
  const details = parts.details[raw] ?? {};
  if (details['summary'] && operation['summary'])
    throw new Error(`${raw} has its summary in two places`);
  const described = { ...operation, ...details };
  const security = securityOf(parts, { path, verb, operation: described });
  const openness = security.some((each) => Object.keys(each).length === 0) ? 'public' : 'protected';
  const tags = [described['tags'] ?? []].flat();
  const { requestBody } = described;
  return {
    ...described,
    ...(requestBody !== undefined && {
      requestBody: withExamples(parts, raw, asRecord(requestBody)),
    }),
    tags,
    operationId: readableId(raw),
    parameters: parametersOf(path, [described['parameters'] ?? []].flat().map(asRecord)),
    responses: responsesOf(asRecord(described['responses'] ?? {}), {
      answer: parts.answers[raw],
      verb,
      openness,
      hasPlace: path.includes('{'),
    }),
    security,
  };
}

/** The credentials of an operation: its own list, or the one of its route's rule. */
function securityOf(parts: DocumentParts, { path, verb, operation }: Place): readonly Json[] {
  const { security } = operation;
  if (Array.isArray(security)) return security.map(asRecord);
  const isPublic = parts.opennessOf(verb.toUpperCase(), path) === 'public';
  return isPublic ? [{}, ...parts.credentials] : parts.credentials;
}

/** The body of a request with an example for each of its media types. */
function withExamples(parts: DocumentParts, raw: string, body: Json): Json {
  const words: ExampleWords = { schemas: parts.schemas, fields: parts.fieldExamples };
  const content = Object.entries(asRecord(body['content'])).map(([type, value]) => {
    const media = asRecord(value);
    const example = media['example'] ?? parts.examples[raw];
    return [type, { ...media, example: example ?? exampleOf(asRecord(media['schema']), words) }];
  });
  return { ...body, content: Object.fromEntries(content) };
}

/** `AdminUsersController.list` as `adminUsers.list`. */
function readableId(raw: string): string {
  const [controller = '', method] = raw.split('.');
  const name = controller.replace(/Controller$/, '');
  const start = name.charAt(0).toLowerCase() + name.slice(1);
  return method === undefined ? start : `${start}.${method}`;
}

/** Keeps exactly the parameters that occur in the path. */
function parametersOf(path: string, given: readonly Json[]): readonly Json[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  const known = new Set(given.map(({ in: place, name }) => `${String(place)} ${String(name)}`));
  return [
    ...names
      .filter((name) => !known.has(`path ${name}`))
      .map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...given.filter(({ in: place, name }) => place !== 'path' || names.includes(String(name))),
  ];
}

interface AnswerFacts {
  readonly answer: object | undefined;
  readonly verb: string;
  readonly openness: Openness;
  readonly hasPlace: boolean;
}

function responsesOf(given: Json, { answer, verb, openness, hasPlace }: AnswerFacts): Json {
  const responses: Json = {};
  for (const [status, value] of Object.entries(given)) {
    const response = asRecord(value);
    const isFilled = response['content'] !== undefined || answer === undefined || status === '204';
    const description = response['description'] || (status === '204' ? 'Done' : 'The answer');
    responses[status] = isFilled
      ? { ...response, description }
      : { ...response, description, content: contentOf(answer) };
  }
  const refusals = [
    '400',
    ...(openness === 'protected' ? ['401', '403'] : []),
    ...(hasPlace ? ['404'] : []),
    '429',
  ];
  // An answer to HEAD has no body.
  const refused = (status: string) =>
    verb === 'head'
      ? { description: 'Refused' }
      : { $ref: `#/components/responses/${refusalNames[status] ?? 'Refused'}` };
  for (const status of refusals) responses[status] ??= refused(status);
  responses['default'] ??= refused('default');
  return responses;
}

function contentOf(schema: object): Json {
  const isText = 'type' in schema && schema.type === 'string';
  return { [isText ? 'text/plain' : 'application/json']: { schema } };
}

/** OpenAPI 3.1 expresses null as a type, whereas Nest writes the `nullable` of 3.0. */
function inNewStyle(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inNewStyle);
  if (!isRecord(value)) return value;
  const { nullable, ...rest } = value;
  const kept = Object.fromEntries(
    Object.entries(rest).map(([key, each]) => [key, inNewStyle(each)]),
  );
  if (nullable !== true)
    return nullable === undefined || nullable === false ? kept : { nullable, ...kept };
  if (typeof kept['type'] === 'string') return { ...kept, type: [kept['type'], 'null'] };
  return { anyOf: [kept, { type: 'null' }] };
}

/** Removes the schemas and responses that are never referenced. */
function withoutUnused(document: Json): Json {
  const components = asRecord(document['components']);
  for (const group of ['schemas', 'responses']) {
    const entries = asRecord(components[group]);
    for (let isSettled = false; !isSettled;) {
      const text = JSON.stringify({ ...document, components });
      const unused = Object.keys(entries).filter(
        (name) => !text.includes(`"#/components/${group}/${name}"`),
      );
      for (const name of unused) delete entries[name];
      components[group] = entries;
      isSettled = unused.length === 0;
    }
  }
  return { ...document, components };
}

function asRecord(value: unknown): Json {
  return isRecord(value) ? { ...value } : {};
}
