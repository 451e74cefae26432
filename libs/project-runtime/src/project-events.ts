// The hooks of a project under its current settings, and the events that report changes to them: stored in the
// transaction of the change, delivered after it.
import type { ProjectDatabase } from '#libs/database';
import type { HookCaller } from '#libs/hooks';
import type { Settings } from '#libs/settings';

import { type AnnouncedWork, runAnnounced } from './announced-change.js';
import { hookCaller, type HooksDeps, projectHooks } from './project-hooks.js';
import type { ProjectState } from './project-state.js';
import type { RuntimeDeps } from './runtime-deps.js';

export class ProjectEvents {
  constructor(
    private readonly db: ProjectDatabase,
    private readonly deps: RuntimeDeps & Pick<HooksDeps, 'callEdgeFunction'>,
    private readonly current: () => ProjectState,
    /** Called after each transaction of {@link runAnnounced}. */
    private readonly onWrite: () => Promise<void>,
    /** Schedules the delivery of due events. Returns at once. */
    readonly deliverSoon: () => void,
  ) {}

  /** The input of a call to the hooks, under the current settings. */
  get caller(): HookCaller {
    return hookCaller(this.hooksDeps, this.current().settings.values);
  }

  /** Returns the hooks of `settings`. An event that they store is delivered soon. */
  hooksUnder(settings: Settings): ReturnType<typeof projectHooks> {
    const hooks = projectHooks(this.hooksDeps, settings);
    return {
      ...hooks,
      emit: async (type, data) => {
        await hooks.emit(type, data);
        this.deliverSoon();
      },
    };
  }

  /**
   * Runs `work` in a transaction as the engine role. Its events are stored with its changes and delivered after the
   * commit.
   */
  async runAnnounced<T>(work: AnnouncedWork<T>): Promise<T> {
    const value = await runAnnounced(this.db, this.caller, work);
    this.deliverSoon();
    await this.onWrite();
    return value;
  }

  private get hooksDeps(): HooksDeps {
    const { outbound, callEdgeFunction, now, onError } = this.deps;
    const { ref } = this.current().record;
    return { ref, db: this.db, outbound, callEdgeFunction, now, onError };
  }
}
