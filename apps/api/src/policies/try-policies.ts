// A try from its request to its result: a transaction is opened, the request runs in it as the caller, the policies are
// asked about the rows, and everything is rolled back.
import type { Trial } from '#libs/database';
import { AppError, fail } from '#libs/errors';
import { appendAudit, type AuditActor, type ProjectRuntime } from '#libs/project-runtime';
import type { Caller } from '#libs/wire';

import { mayRunAsOwner, requireRunAsOwner } from '../sql/index.js';
import { requireCaller } from './account-caller.js';
import { auditedChanges, auditedTry } from './audited-try.js';
import { statementsOf } from './policy-change.js';
import { callText, outcomeOf, runRequest } from './run-request.js';
import { type ResolvedTry, resolveTry } from './tried-caller.js';
import { tryFile } from './try-file.js';
import { type Parties, openParties } from './tried-parties.js';
import type { Try, TriedCall, TriedRequest } from './try-request.js';
import type { Found, TryResult } from './try-result.js';
import { tryInsert } from './try-insert.js';
import { trySelect } from './try-select.js';
import { tryWrite } from './try-write.js';

/** Limit of one try; code of the project cannot hold the connection for longer. */
const tryMs = 5_000;

/** `lock_not_available`: a change has waited for the requests that use its table. */
const lockTimedOut = '55P03';

function lockRefusal(cause: unknown): AppError | undefined {
  if (!(cause instanceof AppError) || cause.code !== lockTimedOut) return undefined;
  const reason = 'Other transactions use the table; the change waits for a second. Try again';
  return fail('CONFLICT', { reason }, { cause, retryAfterSeconds: 1 });
}

/** Who tries, for the audit log, and the clock for keys. */
export interface Trying {
  readonly caller: Caller;
  readonly actor: AuditActor;
  readonly now: () => number;
}

/**
 * Tries a request and writes an entry to the audit log first. Throws CAPABILITY_REQUIRED (403) for changes of an
 * operator who may not run SQL as the owner, as the expressions of policies do, and for a caller that such an operator
 * would see the account of; and the errors of {@link runTry}.
 */
export async function tryPolicies(
  project: ProjectRuntime,
  { caller: asking, actor, now }: Trying,
  asked: Try,
): Promise<TryResult> {
  if (asked.changes.length > 0) requireRunAsOwner(asking);
  const seesAccounts = mayRunAsOwner(asking);
  requireCaller(asked.as, seesAccounts);
  const { target, ...tried } = auditedTry(asked.as, asked.request);
  const changed = await auditedChanges(asked.changes);
  await project.db.runAsEngine((tx) =>
    appendAudit(tx, {
      actor,
      action: 'policies.try',
      target,
      before: null,
      after: { ...tried, ...changed },
    }),
  );
  const { caller, ...result } = await runTry(project, asked, now);
  return { caller: { ...caller, claims: seesAccounts ? caller.claims : null }, ...result };
}

/**
 * Runs a try. Throws the errors of the lookup of its caller, the errors of the changes, PGRST504 (504) after 5 seconds,
 * RESULT_TOO_LARGE, CONFLICT (409) when a table stays in use.
 */
export async function runTry(
  project: ProjectRuntime,
  { as, request, changes }: Try,
  now: () => number,
): Promise<TryResult> {
  const startedAt = performance.now();
  const resolved = await resolveTry(project, as, now);
  // Within the try it could not be read: changed policies lock what it is read from until the try ends.
  await project.catalog.reload(resolved.caller.schemaVersion);
  const found = await project.db
    .tryOut({ changes: changes.flatMap(statementsOf), timeoutMs: tryMs }, (trial) =>
      runIn(project, trial, resolved, request),
    )
    .catch((error: unknown) => {
      throw lockRefusal(error) ?? error;
    });
  const { role, claims } = resolved.caller;
  return {
    // The lookup has written it.
    caller: { role, claims: JSON.parse(claims) as unknown },
    ...found,
    durationMs: Math.round(performance.now() - startedAt),
  };
}

function runIn(
  project: ProjectRuntime,
  trial: Trial,
  resolved: ResolvedTry,
  request: TriedRequest,
): Promise<Found> {
  const parties = openParties(project, trial, resolved);
  switch (request.kind) {
    case 'select':
      return trySelect(parties, request);
    case 'insert':
      return tryInsert(parties, request);
    case 'update':
    case 'delete':
      return tryWrite(parties, request);
    case 'rpc':
      return tryCall(parties, request);
    case 'file':
      return tryFile(parties, request);
  }
}

/** Which policies apply within a function is its own matter. */
async function tryCall({ asCaller }: Parties, request: TriedCall): Promise<Found> {
  const outcome = outcomeOf(await runRequest(asCaller, callText(request)));
  const body = outcome.kind === 'answered' ? outcome.body : undefined;
  return {
    outcome,
    count: outcome.kind === 'refused' ? null : Array.isArray(body) ? body.length : 1,
    keys: null,
    table: null,
    policies: [],
    hidden: null,
    refusedRows: [],
  };
}
