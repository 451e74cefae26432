import type { StatementTimeouts, TableReply } from '#libs/database';
import { AppError, fail } from '#libs/errors';
import type { CompiledCatalog, ProjectRuntime } from '#libs/project-runtime';
import type { SettingsOf } from '#libs/settings';
import { adminStanding, type Credential } from '#libs/wire';

import type { ClientGone } from '../http/client-gone.js';
import { mayBeOutdated } from './outdated.js';
import { refusalFor } from './refusal.js';
import type { RestAnswer, Work } from './work.js';

export type RestSettings = SettingsOf<'api.rest'>;

/** A request on tables or functions of a project. */
export interface RestCall {
  readonly credential: Credential;
  readonly client: ClientGone;
  /** Understands the request with the catalog given. */
  compile(known: CompiledCatalog, settings: RestSettings): Work | Promise<Work>;
}

/** While the schema changes faster than its catalog can be read, somebody has to give up. */
const maxTries = 5;

/** What came of a request with one catalog. */
type Outcome =
  | { readonly kind: 'answered'; readonly answer: RestAnswer }
  /** The schema has `schemaVersion` by now. The answer may miss a column; after an error nothing has happened. */
  | {
      readonly kind: 'outdated';
      readonly schemaVersion: string;
      readonly answer: RestAnswer | AppError;
    };

/**
 * Runs a request: compiled against the catalog, executed in one round trip with the lookup of the caller,
 * answered with the rows as the database wrote them. A catalog that turns out to be old is read again: the
 * request then runs once more, unless it has written already. Throws SCHEMA_CHANGING when that has no end.
 */
export async function runRequest(project: ProjectRuntime, call: RestCall): Promise<RestAnswer> {
  try {
    return await runUntilCurrent(project, call);
  } catch (error) {
    await lookUpAgain(project, call.credential, error);
    throw error;
  }
}

async function runUntilCurrent(project: ProjectRuntime, call: RestCall): Promise<RestAnswer> {
  let known = project.catalog.peek() ?? (await project.catalog.get());
  for (let tries = 1; ; tries++) {
    const outcome = await runWith(known, project, call);
    if (outcome.kind === 'answered') return outcome.answer;
    if (tries === maxTries) return lastAnswer(outcome.answer);
    known = await project.catalog.reload(outcome.schemaVersion);
  }
}

/** Statuses with which a caller is answered who lacks rights, as `anon` may. */
const statusesOfAnon: ReadonlySet<number> = new Set([401, 403, 404]);

/**
 * Looks a session or a key up again after `error`, because a statement that fails takes the row of its lookup with
 * it. The lookup marks a credential as refused, and the answer says then that the request ran as `anon`.
 */
async function lookUpAgain(
  project: ProjectRuntime,
  credential: Credential,
  error: unknown,
): Promise<void> {
  if (credential.kind !== 'session' && credential.kind !== 'api-key') return;
  if (!(error instanceof AppError) || !statusesOfAnon.has(error.status)) return;
  await project.db.resolveCaller(credential);
}

function lastAnswer(answer: RestAnswer | AppError): RestAnswer {
  if (!(answer instanceof AppError)) return answer;
  throw fail('SCHEMA_CHANGING', {}, { cause: answer, retryAfterSeconds: 1 });
}

async function runWith(
  known: CompiledCatalog,
  project: ProjectRuntime,
  call: RestCall,
): Promise<Outcome> {
  const current = known.catalog.schemaVersion;
  const attempt = await tryWith(known, project, call);
  if (attempt instanceof AppError) {
    const { schemaVersion, refusal } = await refusalFor(project, call.credential, attempt);
    if (schemaVersion === current) throw refusal;
    return { kind: 'outdated', schemaVersion, answer: refusal };
  }
  const { work, reply } = attempt;
  const answer = { ...work.judge(reply), body: work.body(reply) };
  const { schemaVersion } = reply;
  // A write has happened; a read may have been planned for columns that are no longer all of them.
  return work.isWrite || schemaVersion === current
    ? { kind: 'answered', answer }
    : { kind: 'outdated', schemaVersion, answer };
}

/** The reply, or an error that an old catalog may have caused. What has been answered is judged outside. */
async function tryWith(
  known: CompiledCatalog,
  project: ProjectRuntime,
  call: RestCall,
): Promise<{ readonly work: Work; readonly reply: TableReply } | AppError> {
  try {
    const work = await call.compile(known, project.settings.get('api.rest'));
    const { schemaVersion } = known.catalog;
    return { work, reply: await execute(project, call, { work, schemaVersion }) };
  } catch (error) {
    if (error instanceof AppError && mayBeOutdated(error)) return error;
    throw error;
  }
}

interface VersionedWork {
  readonly work: Work;
  /** Of the catalog that the work was compiled against. */
  readonly schemaVersion: string;
}

async function execute(
  project: ProjectRuntime,
  { credential, client }: RestCall,
  { work, schemaVersion }: VersionedWork,
): Promise<TableReply> {
  if (work.adminRefusal) await requireAdmin(project, credential, work.adminRefusal);
  try {
    return await project.db.runTable({
      credential,
      queries: work.statements,
      schemaVersion,
      readOnly: !work.isWrite,
      isExclusive: work.isExclusive,
      timeouts: timeoutsOf(project.settings.get('api.rest')),
      client,
      owner: client,
      ...(work.ending !== 'implicit' && { inspect: (reply) => work.judge(reply) }),
      isDryRun: work.ending === 'rollback',
    });
  } catch (error) {
    throw error instanceof AppError ? work.toldError(error) : error;
  }
}

function timeoutsOf(settings: RestSettings): StatementTimeouts {
  return {
    anonMs: settings.statementTimeoutAnon * 1_000,
    authenticatedMs: settings.statementTimeoutAuthenticated * 1_000,
    serviceMs: settings.statementTimeoutService * 1_000,
  };
}

/** Throws the refusal unless an administrator asks: read live, because the plan does not know the caller. */
async function requireAdmin(
  project: ProjectRuntime,
  credential: Credential,
  refusal: () => AppError,
): Promise<void> {
  const { caller } = await project.db.resolveCaller(credential);
  if (adminStanding(caller, project.guards) !== 'admin') throw refusal();
}
