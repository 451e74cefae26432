import type { Transaction } from '#libs/database';
import type { Caller } from '#libs/wire';

/** Who changed something inside a project, and from which address. */
export interface AuditActor {
  readonly kind: 'user' | 'operator' | 'secret-key';
  readonly id: string | null;
  readonly email: string | null;
  readonly ip: string;
  readonly requestId: string;
}

/** One change. The caller leaves secrets out. */
export interface AuditEntry {
  readonly actor: AuditActor;
  /** `<what>.<done>`, e.g. `settings.save`. */
  readonly action: string;
  readonly target: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the actor of the audit log for a caller. */
export function auditActor(
  caller: Caller,
  from: { readonly ip: string; readonly requestId: string },
): AuditActor {
  switch (caller.via) {
    case 'operator':
      return {
        kind: 'operator',
        id: caller.operator.operatorId,
        email: caller.operator.email,
        ...from,
      };
    case 'session':
    case 'api-key':
    case 'third-party':
      return { kind: 'user', id: caller.user.id, email: caller.user.email, ...from };
    case 'impersonation':
    case 'secret-key':
    case 'none':
      return { kind: 'secret-key', id: null, email: null, ...from };
  }
}

/**
 * Returns one text for one author: an operator, a user of the project, or the secret key, which all of its holders
 * share.
 */
export function authorOf({ kind, id }: AuditActor): string {
  return `${kind}:${id ?? ''}`;
}

/** The entry by the columns of platform.audit_log. */
export function auditRow(entry: AuditEntry): Readonly<Record<string, unknown>> {
  const { actor, action, target, before, after } = entry;
  return {
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_email: actor.email,
    action,
    target,
    before: before ?? null,
    after: after ?? null,
    ip: actor.ip,
    request_id: actor.requestId,
  };
}

/** Writes the entry in the transaction of its change. */
export async function appendAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  await tx.query(
    `insert into platform.audit_log
       (actor_kind, actor_id, actor_email, action, target, before, after, ip, request_id)
     select actor_kind, actor_id, actor_email, action, target, before, after, ip, request_id
     from pg_catalog.jsonb_populate_record(null::platform.audit_log, $1::pg_catalog.jsonb)`,
    [JSON.stringify(auditRow(entry))],
  );
}
