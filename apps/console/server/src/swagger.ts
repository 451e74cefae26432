import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createPause, inTurns, type Steps } from '#libs/steps';
import {
  completeDocument,
  type Json,
  type Openness,
  readControllers,
  serveDescription,
} from '#libs/web';
import { answers, schemas } from './docs/answers.js';
import { addedPaths, details, tags } from './docs/details.js';
import { examples, fieldExamples } from './docs/examples.js';
import { listRoutes } from './http/route-table.js';

const securitySchemes: Json = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token that `POST /platform/login` answers with.',
  },
};

/** Serves the description of the console's API at `/docs`, and as JSON at `/docs/json`. */
export function serveDocs(app: NestFastifyApplication): void {
  serveDescription(app, {
    path: 'docs',
    title: 'Rowhouse console: API',
    describe: () => inTurns(describeConsole(app), createPause()),
    forRequest: (document) => document,
  });
}

/** The description of every route of the console. */
function* describeConsole(app: NestFastifyApplication): Steps<Json> {
  const controllers = yield* readControllers(app);
  const openness = new Map(
    listRoutes(app).map(({ method, path, access }) => [
      `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
      access.kind === 'public' ? ('public' as const) : ('protected' as const),
    ]),
  );
  return yield* completeDocument({
    described: controllers.paths,
    schemas: { ...controllers.schemas, ...schemas },
    added: addedPaths,
    details,
    answers,
    examples,
    fieldExamples,
    isAlias: (path) => path.startsWith('/admin/'),
    opennessOf: (method, path): Openness => openness.get(`${method} ${path}`) ?? 'protected',
    credentials: [{ bearer: [] }],
    securitySchemes,
    info: {
      title: 'Rowhouse console',
      version: '1.0',
      description: 'Operators, organizations and projects of a deployment.',
    },
    servers: [{ url: '/' }],
    tags,
  });
}
