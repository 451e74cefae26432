import type { Capability } from './caller.js';

/** A route of a project, as the console has to know it. */
export interface ProjectRoute {
  /** `GET`, `POST`, …; `ALL` for every method. */
  readonly method: string;
  /** With its parameters: `/api/admin/users/:id`; `*` at the end stands for any rest. */
  readonly path: string;
  /**
   * What an operator needs for it. `by method`: content.read for what only reads, else content.write. `by group`: what
   * the settings group declares that the parameter `:group` names.
   */
  readonly needs: Capability | 'by method' | 'by group';
}
