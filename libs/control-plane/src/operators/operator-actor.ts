import type { AuditActor } from '../audit/record-audit.js';

/** The operator who makes a change, with the request it came in. */
export type OperatorActor = Exclude<AuditActor, 'system'>;
