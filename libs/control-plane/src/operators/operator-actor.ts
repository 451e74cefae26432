import type { AuditActor } from '../audit/record-audit.js';

/** Returns the actor for an operator and their request. */
export type OperatorActor = Exclude<AuditActor, 'system'>;
