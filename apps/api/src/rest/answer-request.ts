// A request on tables or functions in five stages: input, compile, execute, check, reply. If its catalog turns out to
// be outdated, the catalog is read again and the request runs once more, unless it has already written.
import type { TableReply } from '#libs/database';
import { AppError, fail } from '#libs/errors';
import type { CompiledCatalog } from '#libs/project-runtime';
import type { Credential } from '#libs/wire';

import { bodyOf } from './body.js';
import { check } from './check.js';
import { compile } from './compile.js';
import { execute, type RestCall } from './execute.js';
import { readInput, type ReadText, type RestText } from './input.js';
import { mayBeOutdated } from './outdated.js';
import { refusalFor } from './refusal.js';
import type { RestAnswer, Work } from './work.js';

/** How often a request is compiled while the schema changes faster than its catalog can be read. */
const maxTries = 5;

/** The result of a request with one catalog. */
type Outcome =
  | { readonly kind: 'answered'; readonly answer: RestAnswer }
  /** The current schema is `schemaVersion`. The answer may miss a column; an error means that nothing was written. */
  | {
      readonly kind: 'outdated';
      readonly schemaVersion: string;
      readonly answer: RestAnswer | AppError;
    };

/** Answers a request. Throws SCHEMA_CHANGING when the schema changes faster than its catalog can be read. */
export async function answerRequest(call: RestCall, text: RestText): Promise<RestAnswer> {
  try {
    return await answerByCurrentCatalog(call, await readInput(text));
  } catch (error) {
    await lookUpAgain(call, error);
    throw error;
  }
}

async function answerByCurrentCatalog(call: RestCall, text: ReadText): Promise<RestAnswer> {
  const { catalog } = call.project;
  let known = catalog.peek() ?? (await catalog.get());
  for (let tries = 1; ; tries++) {
    const outcome = await answerBy(known, call, text);
    if (outcome.kind === 'answered') return outcome.answer;
    if (tries === maxTries) return lastAnswer(outcome.answer);
    known = await catalog.reload(outcome.schemaVersion);
  }
}

async function answerBy(known: CompiledCatalog, call: RestCall, text: ReadText): Promise<Outcome> {
  const { schemaVersion } = known.catalog;
  let work: Work;
  let reply: TableReply;
  try {
    work = await compile(text, known, call.project.settings.get('api.rest'));
    reply = await execute(work, call, schemaVersion);
  } catch (error) {
    return failed(error, call, schemaVersion);
  }
  const answer = { ...check(work, reply), body: bodyOf(work, reply) };
  // A write has happened; a read may have been planned for columns that are no longer all of them.
  return work.isWrite || reply.schemaVersion === schemaVersion
    ? { kind: 'answered', answer }
    : { kind: 'outdated', schemaVersion: reply.schemaVersion, answer };
}

/** Throws the error, unless a catalog that is older than the schema may have caused it. */
async function failed(error: unknown, call: RestCall, compiledFor: string): Promise<Outcome> {
  if (!(error instanceof AppError) || !mayBeOutdated(error)) throw error;
  const { schemaVersion, refusal } = await refusalFor(call.project, call.credential, error);
  if (schemaVersion === compiledFor) throw refusal;
  return { kind: 'outdated', schemaVersion, answer: refusal };
}

function lastAnswer(answer: RestAnswer | AppError): RestAnswer {
  if (!(answer instanceof AppError)) return answer;
  throw fail('SCHEMA_CHANGING', {}, { cause: answer, retryAfterSeconds: 1 });
}

/** Statuses for callers without rights, including `anon`. */
const statusesOfAnon: ReadonlySet<number> = new Set([401, 403, 404]);

/**
 * Looks a session or a key up again after `error`, because a failing statement discards the row of its lookup. The
 * lookup marks a refused credential, and the answer then states that the request ran as `anon`.
 */
async function lookUpAgain({ project, credential }: RestCall, error: unknown): Promise<void> {
  if (!mayBeRefused(credential)) return;
  if (!(error instanceof AppError) || !statusesOfAnon.has(error.status)) return;
  await project.db.resolveCaller(credential);
}

const mayBeRefused = ({ kind }: Credential): boolean => kind === 'session' || kind === 'api-key';
