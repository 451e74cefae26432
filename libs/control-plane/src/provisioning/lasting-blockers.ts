// Which sessions have blocked other projects for long enough to be ended. A session that has just got a lock after a
// queue blocks others that have waited as long as itself, so one round proves nothing.
import { type FoundSession, victimsOf } from './lock-sessions.js';
import type { SessionIds } from './login-names.js';
import { SeenSince } from './seen-since.js';

/**
 * How long the sessions of a project must block others, in every round; milliseconds. Less than the time between two
 * rounds (500 ms), so that two of them are enough.
 */
const blockMs = 450;

/** Returns the database id of the project that a session belongs to. */
export type FindProject = (ids: SessionIds) => string | undefined;

export class LastingBlockers {
  /** By project, and not by session: several sessions of one project could take turns with a lock. */
  private readonly seen = new SeenSince();

  /** Returns the sessions of one round whose projects have blocked others in every round for long enough. */
  find(
    rows: readonly FoundSession[],
    projectOf: FindProject,
    nowMs: number,
  ): readonly FoundSession[] {
    const blockers = rows.flatMap((row) => {
      const project = projectOf(row);
      if (row.kind !== 'blocks others' || project === undefined) return [];
      return victimsOf(row).some((victim) => projectOf(victim) === project)
        ? []
        : [{ row, project }];
    });
    const ages = this.seen.record(
      blockers.map(({ project }) => project),
      nowMs,
    );
    return blockers.flatMap(({ row, project }) =>
      (ages.get(project) ?? 0) < blockMs ? [] : [row],
    );
  }
}
