// How the audit log names a try: who, what and where, without values of rows.
import { readScript } from '#libs/database';
import { createPause, inTurns } from '#libs/steps';

import type { WrittenClaims } from '../http/written-claims.js';
import { maskSql } from '../sql/index.js';
import { type PolicyChange, statementsOf } from './policy-change.js';
import type { TriedCaller, TriedRequest } from './try-request.js';

/** A longer subject is cut off: ids are shorter. */
const maxSubjectLength = 200;

export interface AuditedTry {
  readonly as: Readonly<Record<string, unknown>>;
  readonly request: TriedRequest['kind'];
  readonly target: string;
}

/** Returns the caller, the kind of the request, and what it is about. */
export function auditedTry(as: TriedCaller, request: TriedRequest): AuditedTry {
  return { as: auditedCaller(as), request: request.kind, target: targetOf(request) };
}

export interface AuditedChanges {
  /** How many. */
  readonly changes: number;
  /** The first 4 KB of their statements, secrets masked: their expressions may call any function. */
  readonly sql?: string;
}

/** Returns what the audit log keeps of the changes that are tried. */
export async function auditedChanges(changes: readonly PolicyChange[]): Promise<AuditedChanges> {
  if (changes.length === 0) return { changes: 0 };
  const pause = createPause();
  const script = await inTurns(readScript(changes.flatMap(statementsOf).join(';\n')), pause);
  return { changes: changes.length, sql: await inTurns(maskSql(script), pause) };
}

/** Without the text of a key. Of claims, which may be secrets, the subject: as whom the request is tried. */
function auditedCaller(as: TriedCaller): AuditedTry['as'] {
  switch (as.kind) {
    case 'anon':
      return { kind: 'anon' };
    case 'user':
      return { kind: 'user', userId: as.userId };
    case 'claims':
      return { kind: 'claims', role: as.claims.role, ...subjectOf(as.claims) };
    case 'keyId':
      return { kind: 'key', keyId: as.keyId };
    case 'key':
      return { kind: 'key' };
  }
}

function subjectOf({ sub }: WrittenClaims): { readonly sub?: string } {
  return sub === undefined ? {} : { sub: sub.slice(0, maxSubjectLength) };
}

function targetOf(request: TriedRequest): string {
  switch (request.kind) {
    case 'rpc':
      return `${request.function}()`;
    case 'file':
      return `${request.bucket}/${request.key}`;
    case 'select':
    case 'insert':
    case 'update':
    case 'delete':
      return request.table;
  }
}
