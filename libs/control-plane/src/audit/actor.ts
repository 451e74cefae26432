import type { Capability } from '#libs/wire';
import type { CapabilityScope } from '../organizations/capabilities.js';

/** The right that a request needs for its change. */
export interface Authority {
  readonly sessionId: string;
  readonly needs:
    | 'session'
    | 'deployment-admin'
    | { readonly capability: Capability; readonly place: CapabilityScope };
}

/** Who made a change: an operator with their request, or the platform itself. */
export type AuditActor =
  | {
      readonly operatorId: string;
      readonly email: string;
      readonly ip: string;
      readonly requestId: string;
      /** The right that the change needs; absent if it needs none, or if it was already checked. */
      readonly authority?: Authority | undefined;
    }
  | 'system';
