import { randomUUID } from 'node:crypto';

import {
  type JsonBytes,
  readScript,
  type ScriptResult,
  type StatementAnswers,
} from '#libs/database';
import { fail } from '#libs/errors';
import { appendAudit, type AuditActor, authorOf, type ProjectRuntime } from '#libs/project-runtime';
import { createPause, inTurns } from '#libs/steps';
import type { Caller } from '#libs/wire';

import type { ClientGone } from '../http/client-gone.js';
import { auditedScript } from './audit-script.js';
import { findLogin } from './script-login.js';
import { defaultMaxRows, type RunSqlBody } from './sql.dto.js';

/** Who runs a script, and who waits for its answer. */
interface ScriptRequest {
  readonly caller: Caller;
  readonly actor: AuditActor;
  readonly client: ClientGone;
}

/**
 * Runs a script of the SQL editor. The audit entry is written first, so that no script runs without one. An operator
 * without `secrets.manage` can reach rows only: the owner of the functions of a project reads its accounts and may
 * change the passwords of its logins. Throws SQL_CANCELLED when {@link cancelSql} ends the script.
 */
export async function runSql(
  project: ProjectRuntime,
  { caller, actor, client }: ScriptRequest,
  body: RunSqlBody,
): Promise<JsonBytes<ScriptResult | StatementAnswers>> {
  const { query, params, as, results = 'last', maxRows, dryRun: isDryRun = false } = body;
  if (maxRows !== undefined && results !== 'all') {
    throw fail('INVALID_INPUT', { field: 'maxRows', reason: 'needs results to be all' });
  }
  const { login, target } = await findLogin(project, caller, as);
  const pause = createPause();
  const script = await inTurns(readScript(query), pause);
  const audited = await inTurns(auditedScript(script), pause);
  using running = project.scripts.start(authorOf(actor), body.id ?? randomUUID());
  const after = {
    ...audited,
    params: params?.length ?? 0,
    ...(as && { as }),
    ...(isDryRun && { dryRun: true }),
  };
  await project.db.runAsEngine((tx) =>
    appendAudit(tx, { actor, action: 'sql.run', target, before: null, after }),
  );
  const limits = { maxRows: results === 'all' ? (maxRows ?? defaultMaxRows) : undefined };
  const signal = AbortSignal.any([client.signal, running.signal]);
  const call = { script, params, limits, isDryRun, signal, owner: client };
  try {
    const answer =
      results === 'all'
        ? await project.db.answerStatements(login, call)
        : await project.db.answerScript(login, call);
    if (!isDryRun) await project.sqlWritten();
    return answer;
  } catch (error) {
    throw running.signal.aborted ? fail('SQL_CANCELLED', {}, { cause: error }) : error;
  }
}

/** Ends a script that the same author runs in this process. Throws SQL_RUN_NOT_FOUND. */
export function cancelSql(project: ProjectRuntime, actor: AuditActor, id: string): void {
  if (!project.scripts.cancel(authorOf(actor), id)) throw fail('SQL_RUN_NOT_FOUND');
}
