// Stage three: the statements in one round trip with the lookup of the caller.
import {
  failedQuery,
  type ProjectDatabase,
  type StatementTimeouts,
  type TableReply,
} from '#libs/database';
import { AppError, deletionError, fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';
import type { SettingsOf } from '#libs/settings';
import { adminStanding, type Credential } from '#libs/wire';

import type { ClientGone } from '../http/client-gone.js';
import { check } from './check.js';
import type { Work } from './work.js';

/** The part of a project that requests need. A trial has a transaction of its own in the place of `db`. */
export interface RestProject extends Pick<
  ProjectRuntime,
  'catalog' | 'settings' | 'guards' | 'rowsWritten'
> {
  readonly db: Pick<ProjectDatabase, 'runTable' | 'resolveCaller'>;
}

/** The caller and the project. */
export interface RestCall {
  readonly project: RestProject;
  readonly credential: Credential;
  /** Undefined for a trial. */
  readonly client: ClientGone | undefined;
}

/** Runs the work, compiled against the catalog of this version. Throws the errors of the database and of the budget. */
export async function execute(
  work: Work,
  { project, credential, client }: RestCall,
  schemaVersion: string,
): Promise<TableReply> {
  if (work.adminRefusal) await requireAdmin(project, credential, work.adminRefusal);
  try {
    const reply = await project.db.runTable({
      credential,
      queries: work.statements,
      schemaVersion,
      readOnly: !work.isWrite,
      isExclusive: work.isExclusive,
      timeouts: timeoutsOf(project.settings.get('api.rest')),
      client,
      owner: client,
      ...(work.ending !== 'implicit' && { inspect: (reply) => check(work, reply) }),
      isDryRun: work.ending === 'rollback',
    });
    if (work.isWrite && work.ending !== 'rollback') project.rowsWritten();
    return reply;
  } catch (error) {
    throw error instanceof AppError ? answeredError(work, error) : error;
  }
}

/**
 * Throws the refusal unless the caller is an administrator: looked up live, because the plan does not know the caller.
 */
async function requireAdmin(
  project: RestProject,
  credential: Credential,
  refusal: AppError,
): Promise<void> {
  const { caller } = await project.db.resolveCaller(credential);
  if (adminStanding(caller, project.guards) !== 'admin') throw refusal;
}

function timeoutsOf(settings: SettingsOf<'api.rest'>): StatementTimeouts {
  return {
    anonMs: settings.statementTimeoutAnon * 1_000,
    authenticatedMs: settings.statementTimeoutAuthenticated * 1_000,
    serviceMs: settings.statementTimeoutService * 1_000,
  };
}

/** The caller's form of a database error. */
export function answeredError(work: Work, error: AppError): AppError {
  switch (work.kind) {
    case 'table':
      return asBadFilter(work.isDeletion ? deletionError(error) : error);
    case 'function':
      // The body of a function may name missing objects; a filter on a table can only be a mistake.
      return error;
    case 'batch': {
      const statement = failedQuery(error);
      const answered = asBadFilter(error);
      return statement === undefined ? answered : work.batch.blame(answered, statement);
    }
  }
}

/** There is no operator for the types: the filter is the caller's mistake, not a missing object. */
function asBadFilter(error: AppError): AppError {
  if (error.code !== '42883') return error;
  const { message, cause, code } = error;
  return fail('DATABASE_ERROR', {}, { status: 400, publicCode: code, message, cause });
}
