// The project as a trial shows it to the code of the API: the same, but for its database, which is a transaction that
// is rolled back.
import type { TableReply, Trial, TrialCaller } from '#libs/database';
import type { ProjectRuntime } from '#libs/project-runtime';

import type { RestProject } from '../rest/index.js';

/** The role whose rows are compared: policies hide none from it. Claims stay, because defaults of columns read them. */
export function serviceLike(caller: TrialCaller): TrialCaller {
  return { ...caller, caller: { role: 'service_role', via: 'secret-key' }, role: 'service_role' };
}

/** Requests of one caller in a trial. */
export interface TriedProject extends RestProject {
  readonly db: Pick<ProjectRuntime['db'], 'runTable' | 'resolveCaller' | 'queryAsEngine'>;
  /** Rows that the last statement has read or written; undefined before the first. */
  readonly lastAffected: () => number | undefined;
}

export function triedProject(
  project: ProjectRuntime,
  trial: Trial,
  caller: TrialCaller,
): TriedProject {
  const service = serviceLike(caller);
  let last: TableReply | undefined;
  return {
    catalog: project.catalog,
    settings: project.settings,
    guards: project.guards,
    // Nothing that was written stays.
    rowsWritten: () => undefined,
    db: {
      async runTable(request) {
        last = undefined;
        // The API itself asks as its own server where it looks past policies.
        const isOwnServer = request.credential.kind === 'secret-key';
        last = await trial.runTable(isOwnServer ? service : caller, request);
        return last;
      },
      resolveCaller: () => Promise.resolve(caller),
      queryAsEngine: (text, values) => project.db.queryAsEngine(text, values),
    },
    lastAffected: () => last?.results[0]?.affected,
  };
}
