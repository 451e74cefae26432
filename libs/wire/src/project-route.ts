import type { Capability } from './caller.js';

/** A route of a project, as the console needs to know it. */
export interface ProjectRoute {
  /** `GET`, `POST`, …; `ALL` for every method. */
  readonly method: string;
  /** With its parameters: `/api/admin/users/:id`; a final `*` matches any rest. */
  readonly path: string;
  /**
   * The capability that an operator needs. `by method`: content.read for reading methods, else content.write. `by
   * group`: the settings group in the parameter `:group` declares it.
   */
  readonly needs: Capability | 'by method' | 'by group';
  /** Whether an answer may have the header `continuesHeader`. */
  readonly mayContinue: boolean;
}

/**
 * With the value `true`, the header of an answer to a request that continues what an earlier one has begun: the audit
 * logs have that one.
 */
export const continuesHeader = 'x-rowhouse-continues';
