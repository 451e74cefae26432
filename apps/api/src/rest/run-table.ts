import type { TableReply } from '#libs/database';
import { AppError, fail } from '#libs/errors';
import type { CompiledCatalog, ProjectRuntime } from '#libs/project-runtime';
import type { Compiled, ResponseHead, RestInput } from '#libs/rest-query';
import { type Credential, isAdmin } from '#libs/wire';

import type { ClientGone } from '../http/client-gone.js';

/** The answer to a request on a table. */
export interface TableAnswer extends ResponseHead {
  /** Bytes that the database wrote, in their frame; undefined for an answer without a body. */
  readonly body: Buffer | undefined;
}

export interface TableCall {
  readonly credential: Credential;
  readonly input: RestInput;
  readonly client: ClientGone;
}

/** Codes of a request that a catalog of another version might understand. */
const catalogErrors = new Set(['PGRST200', 'PGRST204', 'PGRST205']);
/** SQLSTATEs of a statement that names a column, a table or a function which is not there any more. */
const outdatedErrors = new Set(['42703', '42P01', '42883', '42804', '428C9']);

/**
 * Runs a request on a table: compiled against the catalog, executed in one round trip with the lookup of
 * the caller, answered with the rows as the database wrote them. A catalog that turns out to be old is
 * read again: the request then runs once more, unless it has written already.
 */
export async function runTable(project: ProjectRuntime, call: TableCall): Promise<TableAnswer> {
  const known = project.catalog.peek() ?? (await project.catalog.get());
  const compiled = compileOr(known, project, call);
  if (compiled instanceof AppError) return retryWithNow(project, call, { known, error: compiled });
  const attempt = await executeOr(project, call, compiled);
  if (attempt instanceof AppError) return retryWithNow(project, call, { known, error: attempt });
  const { schemaVersion } = attempt.reply;
  if (schemaVersion === known.catalog.schemaVersion) return attempt.answer();
  const fresh = await project.catalog.reload(schemaVersion);
  // A write has happened; a read may have been planned for columns that are no longer all of them.
  if (compiled.shape.isWrite) return attempt.answer();
  return (await execute(project, call, compileWith(fresh, project, call))).answer();
}

/** With this catalog the request was not understood, or it failed and left nothing: try the one of now. */
async function retryWithNow(
  project: ProjectRuntime,
  call: TableCall,
  { known, error }: { readonly known: CompiledCatalog; readonly error: AppError },
): Promise<TableAnswer> {
  const { schemaVersion } = await project.db.resolveCaller(call.credential);
  if (schemaVersion === known.catalog.schemaVersion) throw error;
  const fresh = await project.catalog.reload(schemaVersion);
  return (await execute(project, call, compileWith(fresh, project, call))).answer();
}

async function executeOr(
  project: ProjectRuntime,
  call: TableCall,
  compiled: Compiled,
): Promise<Attempt | AppError> {
  try {
    return await execute(project, call, compiled);
  } catch (error) {
    if (error instanceof AppError && outdatedErrors.has(error.code)) return asBadFilter(error);
    throw error;
  }
}

/** No operator for the types: what a filter asks of a column is the caller's mistake, not a missing thing. */
function asBadFilter(error: AppError): AppError {
  if (error.code !== '42883') return error;
  const { message, cause, code } = error;
  return fail('DATABASE_ERROR', {}, { status: 400, publicCode: code, message, cause });
}

interface Attempt {
  readonly reply: TableReply;
  readonly answer: () => TableAnswer;
}

async function execute(
  project: ProjectRuntime,
  { credential, client }: TableCall,
  compiled: Compiled,
): Promise<Attempt> {
  const { shape, statements } = compiled;
  if (shape.adminRefusal) await requireAdmin(project, credential, shape.adminRefusal);
  const respond = (reply: TableReply) =>
    shape.respond(
      reply.results.map(({ rows, affected }, index) => ({
        count: affected,
        ...(statements[index]?.gives === 'text' && { text: rows.first(0).toString('utf8') }),
      })),
    );
  const reply = await project.db.runTable({
    credential,
    queries: statements,
    readOnly: !shape.isWrite,
    client,
    ...(shape.ending !== 'implicit' && { inspect: respond }),
    isDryRun: shape.ending === 'rollback',
  });
  return { reply, answer: () => ({ ...respond(reply), body: bodyOf(shape, reply) }) };
}

function bodyOf({ frame }: Compiled['shape'], { results }: TableReply): Buffer | undefined {
  if (!frame) return undefined;
  return results[0]?.rows.join(frame.open, frame.separator, frame.close);
}

/** Throws the refusal unless an administrator asks: read live, because the plan does not know the caller. */
async function requireAdmin(
  project: ProjectRuntime,
  credential: Credential,
  refusal: () => AppError,
): Promise<void> {
  const { caller } = await project.db.resolveCaller(credential);
  if (!isAdmin(caller)) throw refusal();
}

function compileWith(
  known: CompiledCatalog,
  project: ProjectRuntime,
  { input }: TableCall,
): Compiled {
  const { maxRows } = project.settings.get('api.rest');
  return known.compiler.compile(known.catalog, { maxRows }, input);
}

function compileOr(
  known: CompiledCatalog,
  project: ProjectRuntime,
  call: TableCall,
): Compiled | AppError {
  try {
    return compileWith(known, project, call);
  } catch (error) {
    if (error instanceof AppError && catalogErrors.has(error.code)) return error;
    throw error;
  }
}
