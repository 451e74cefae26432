import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { completeDocument, type Json, type Openness, type Paths } from '#libs/web';
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
  const make = () => describeConsole(app) as unknown as OpenAPIObject; // Nest's type is that of OpenAPI 3.0.
  SwaggerModule.setup('docs', app, make, {
    jsonDocumentUrl: 'docs/json',
    raw: ['json'],
    customSiteTitle: 'Rowhouse console: API',
  });
}

/** The description of every route of the console. */
export function describeConsole(app: NestFastifyApplication): Json {
  const config = new DocumentBuilder().build();
  const described = SwaggerModule.createDocument(app, config, {
    operationIdFactory: (controller, method) => `${controller}.${method}`,
  });
  const openness = new Map(
    listRoutes(app).map(({ method, path, access }) => [
      `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`,
      access.kind === 'public' ? ('public' as const) : ('protected' as const),
    ]),
  );
  return completeDocument({
    described: described.paths as unknown as Paths, // Read as JSON from here on.
    schemas: { ...described.components?.schemas, ...schemas },
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
