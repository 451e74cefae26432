// The CORS rules of a bucket for the routes of its files. The hooks of a request read them before its credential.
import type { FastifyRequest } from 'fastify';

import type { ProjectRuntime } from '#libs/project-runtime';

import { type CorsHeaders, type CorsQuestion, corsQuestion } from '../../http/cors.js';
import { answerByRules, type CorsRule } from './cors-rules.js';

/** An answer does not depend on the origin only because this request names none. */
const withoutOrigin: CorsHeaders = { vary: 'Origin' };
/** What a slug is made of; nothing else is asked for. */
const slugForm = /^[a-z0-9_-]{1,64}$/;

/**
 * The headers for a bucket with rules of its own; undefined if the project's rules apply, because the request is not
 * for a bucket, or its bucket has no rules. The database is queried for requests of pages only.
 */
export function answerForBucket(
  project: ProjectRuntime,
  request: FastifyRequest,
): CorsHeaders | Promise<CorsHeaders | undefined> | undefined {
  // The routes with such rules have the parameter.
  const { slug } = request.params as { readonly slug: string };
  if (!slugForm.test(slug)) return undefined;
  const question = corsQuestion(request);
  return question ? askBucket(project, slug, question) : withoutOrigin;
}

async function askBucket(
  project: ProjectRuntime,
  slug: string,
  question: CorsQuestion,
): Promise<CorsHeaders | undefined> {
  const [bucket] = await project.db.queryAsEngine<{ readonly cors: readonly CorsRule[] }>(
    'select cors from storage.buckets where slug = $1',
    [slug],
  );
  if (!bucket || bucket.cors.length === 0) return undefined;
  return answerByRules(bucket.cors, question);
}
