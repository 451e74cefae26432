import type { INestApplication } from '@nestjs/common';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import type { Json } from './api-document.js';

export interface Description {
  /** Path of the page, without slashes at its ends; the document is at `/<path>/json`. */
  readonly path: string;
  /** Title of the page. */
  readonly title: string;
  /** A script that the page runs. */
  readonly script?: string;
  /** Builds the document. Called once, by the first request for it. */
  readonly describe: () => Promise<Json>;
  /** Returns the document as one request gets it. */
  readonly forRequest: (document: Json, request: FastifyRequest) => Json;
}

/**
 * Nest requires a document before one exists. `patchDocumentOnRequest`, which may be asynchronous, returns the real
 * one.
 */
const noDocument: OpenAPIObject = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} };

/** Serves Swagger UI and the document that it shows. */
export function serveDescription(app: INestApplication, description: Description): void {
  const { path, title, script, describe, forRequest } = description;
  let document: Promise<Json> | undefined;
  SwaggerModule.setup(path, app, noDocument, {
    raw: ['json'],
    jsonDocumentUrl: `${path}/json`,
    customSiteTitle: title,
    ...(script !== undefined && { customJsStr: script }),
    patchDocumentOnRequest: async (request) => {
      document ??= describe();
      // Nest leaves the type of the request to its adapter (Fastify), and has types of OpenAPI 3.0 only.
      return forRequest(
        await document,
        request as unknown as FastifyRequest,
      ) as unknown as OpenAPIObject;
    },
  });
}
