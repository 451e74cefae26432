import { type JsonBytes, readScript, type ScriptResult } from '#libs/database';
import { appendAudit, type AuditActor, type ProjectRuntime } from '#libs/project-runtime';
import { createPause, inTurns } from '#libs/steps';
import type { Caller } from '#libs/wire';

import { auditedScript } from './audit-script.js';
import type { RunSqlBody } from './sql.dto.js';

/** As whom a script runs: the owner of `public`, or a role that reaches rows alone. */
type ScriptRole = 'owner' | 'service_role';

/**
 * Runs a script of the SQL editor. The audit entry is written first, so that no script runs without one.
 * An operator without `secrets.manage` can reach rows only: the owner of the functions of a project reads
 * its accounts and may change the passwords of its logins.
 */
export async function runSql(
  project: ProjectRuntime,
  caller: Caller,
  { query, params, actor }: RunSqlBody & { readonly actor: AuditActor },
): Promise<JsonBytes<ScriptResult>> {
  const role = roleOf(caller);
  const pause = createPause();
  const script = await inTurns(readScript(query), pause);
  const audited = await inTurns(auditedScript(script), pause);
  await project.db.runAsEngine((tx) =>
    appendAudit(tx, {
      actor,
      action: 'sql.run',
      target: role,
      before: null,
      after: { ...audited, params: params?.length ?? 0 },
    }),
  );
  return project.db.answerScript(role === 'owner' ? 'owner' : 'editor', { script, params });
}

function roleOf(caller: Caller): ScriptRole {
  const isRestricted =
    caller.via === 'operator' && !caller.operator.capabilities.includes('secrets.manage');
  return isRestricted ? 'service_role' : 'owner';
}
