// The audit log is written in the transaction of the change: a change that is rolled back has no entry, and no change
// is without one.
import type { EntityManager } from 'typeorm';
import { requireAuthority } from '../operators/authority.js';
import type { AuditActor } from './actor.js';
import { withoutSecrets } from './without-secrets.js';

export type { AuditActor };

/** The content of an entry. */
export interface AuditInput {
  readonly actor: AuditActor;
  /** `<thing>.<verb>`, e.g. `project.create`. */
  readonly action: string;
  readonly organizationId?: string;
  readonly ref?: string;
  /** The id or name of the changed object. */
  readonly target: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * Adds an entry within the transaction of `manager` and returns its id. Checks that the actor may still make the change
 * ({@link requireAuthority}) and throws its errors: a change without an entry is rolled back. Secrets in `before` and
 * `after` are removed by {@link withoutSecrets}.
 */
export async function recordAudit(manager: EntityManager, input: AuditInput): Promise<string> {
  const checked = await requireAuthority(manager, input.actor);
  const actor = checked === 'system' ? undefined : checked;
  const rows: { id: string }[] = await manager.query(
    `insert into audit_entry (operator_id, operator_email, ip, request_id, action, organization_id,
       ref, target, before, after)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     returning id`,
    [
      actor?.operatorId,
      actor?.email,
      actor?.ip,
      actor?.requestId,
      input.action,
      input.organizationId,
      input.ref,
      input.target,
      jsonOf(input.before),
      jsonOf(input.after),
    ],
  );
  return String(rows[0]?.id);
}

/**
 * Adds the outcome to an entry that was written before a change outside this database. An entry without an outcome
 * means that the platform does not know it.
 */
export async function completeAudit(
  manager: EntityManager,
  id: string,
  outcome: { readonly before?: unknown; readonly after: unknown },
): Promise<void> {
  await manager.query(
    'update audit_entry set before = coalesce($2::pg_catalog.jsonb, before), after = $3::pg_catalog.jsonb where id = $1',
    [id, jsonOf(outcome.before), jsonOf(outcome.after)],
  );
}

function jsonOf(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(withoutSecrets(value));
}
