import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';

import { createPause, inTurns, type Steps } from '#libs/steps';
import {
  completeDocument,
  type Json,
  type Openness,
  readControllers,
  serveDescription,
} from '#libs/web';

import { addedPaths } from './docs/added-paths.js';
import { answers, schemas } from './docs/answers.js';
import { AUTH_SCHEMAS } from './docs/auth-schemas.js';
import { details, tags } from './docs/details.js';
import { examples, fieldExamples } from './docs/examples.js';
import { docsPath, listRoutes } from './http/route-table.js';

const description = `The routes of a project. \`GET /rest/v1/\` describes the tables of the project, as far
as the caller may use them. The routes for administrators are listed with their paths below \`/api/admin\`;
the same routes also answer at \`/admin\`, such as \`/admin/users\` for \`/api/admin/users\`.`;

const securitySchemes: Json = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A session token, an API key of a user, or a token of a listed issuer.',
  },
  apikey: {
    type: 'apiKey',
    in: 'header',
    name: 'apikey',
    description:
      'A key of the project: the publishable key (`svc_publishable_…`) names the app, the secret key (`svc_secret_…`) passes every policy and is for servers alone.',
  },
};

/** Serves Swagger UI at `/api/docs` (spec: Health and documentation). */
export function serveDocs(app: NestFastifyApplication): void {
  serveDescription(app, {
    path: docsPath,
    title: 'Project API',
    // The name is that of the project whose host the page is opened on.
    script: `addEventListener('load', () => fetch('/${docsPath}/json').then((reply) => reply.json()).then(({ info }) => { document.title = info.title; }));`,
    describe: () => inTurns(describeApi(app), createPause()),
    forRequest: forProject,
  });
}

/** The description of every route, the same for all projects. */
function* describeApi(app: NestFastifyApplication): Steps<Json> {
  const controllers = yield* readControllers(app);
  const openness = new Map(
    listRoutes(app).map(({ method, path, access }) => [
      `${method} ${path.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{path}')}`,
      access.kind === 'public' ? ('public' as const) : ('protected' as const),
    ]),
  );
  return yield* completeDocument({
    described: controllers.paths,
    schemas: { ...controllers.schemas, ...schemas, ...AUTH_SCHEMAS },
    added: addedPaths,
    details,
    answers,
    examples,
    fieldExamples,
    isAlias: (path) => path.startsWith('/admin/'),
    opennessOf: (method, path): Openness => openness.get(`${method} ${path}`) ?? 'public',
    credentials: [{ bearer: [] }, { apikey: [] }],
    securitySchemes,
    info: { title: 'Project API', version: '1.0', description },
    servers: [{ url: '/' }],
    tags,
  });
}

function forProject(document: Json, { scope }: FastifyRequest): Json {
  const project = scope?.lease.value;
  if (!project) return document;
  const title = `${project.record.name}: API`;
  return { ...document, info: Object.assign({}, document['info'], { title }) };
}
