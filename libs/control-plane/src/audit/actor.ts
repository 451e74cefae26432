import type { Capability } from '#libs/wire';
import type { CapabilityScope } from '../organizations/capabilities.js';

/** What allows a request to make its change. */
export interface Authority {
  readonly sessionId: string;
  readonly needs:
    | 'session'
    | 'deployment-admin'
    | { readonly capability: Capability; readonly place: CapabilityScope };
}

/** Who made a change: an operator with the request it came in, or the platform itself. */
export type AuditActor =
  | {
      readonly operatorId: string;
      readonly email: string;
      readonly ip: string;
      readonly requestId: string;
      /** What allows the change; absent where the change needs no right, or where it was checked. */
      readonly authority?: Authority | undefined;
    }
  | 'system';
