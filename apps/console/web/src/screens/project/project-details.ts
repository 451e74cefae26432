import type { Project } from '../projects/queries.js';

/** A project with what the operator may do with it. */
export interface ProjectDetails extends Project {
  readonly capabilities: readonly string[];
  /** Null where the deployment serves no studio, and in the studio itself. */
  readonly studioUrl: string | null;
}
