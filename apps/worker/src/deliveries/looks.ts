// Looks into the databases of projects for deliveries that wait although no request has them sent: those of a process
// that died, those whose next attempt is due, and changes that were written without the platform.
import { Inject, Injectable } from '@nestjs/common';

import {
  getProjectRecord,
  noteAllDeliveries,
  planLook,
  takeProjectsToLookAt,
} from '#libs/control-plane';
import { withProjectDatabase } from '#libs/database';
import { type ActiveSchedule, listActiveSchedules, lookAtDeliveries } from '#libs/project-runtime';

import type { Duty } from '../duties.js';
import { type WorkerDeps, workerDepsToken } from '../worker-deps.js';
import { scheduleStore } from './delivery-jobs.js';

/** Projects of one look; each takes a connection for some milliseconds. */
const projectsAtOnce = 200;
const databasesAtOnce = 4;
/** A store that has lost its jobs has lost the schedules, too. */
const renewalMs = 10 * 60_000;

@Injectable()
export class Looks implements Duty {
  readonly everyMs = 2_000;
  readonly failure = 'projects could not be looked at for deliveries';
  /** When the schedules of a project were written into the store of jobs; milliseconds since 1970. */
  readonly #plannedAt = new Map<string, number>();

  constructor(@Inject(workerDepsToken) private readonly deps: WorkerDeps) {}

  async resume(): Promise<void> {
    await noteAllDeliveries(this.deps.projects);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { projects, log } = this.deps;
    const refs = [...(await takeProjectsToLookAt(projects, projectsAtOnce))];
    const lookers = Array.from({ length: databasesAtOnce }, async () => {
      for (let ref = refs.pop(); ref !== undefined && !signal.aborted; ref = refs.pop()) {
        await this.#lookAt(ref).catch((err: unknown) =>
          log.warn({ err, ref }, 'a project could not be looked at for deliveries'),
        );
      }
    });
    await Promise.all(lookers);
  }

  async #lookAt(ref: string): Promise<void> {
    const { projects, deliveryJobs } = this.deps;
    const record = await getProjectRecord(projects, ref);
    // A project of another release is looked at when it was migrated.
    if (record?.migratedTo !== projects.release.hash) return;
    const { look, schedules } = await withProjectDatabase(record, async (db) => ({
      look: await lookAtDeliveries(db),
      schedules: this.#mustPlan(ref) ? await listActiveSchedules(db) : undefined,
    }));
    if (schedules) await this.#plan(ref, schedules);
    if (look.isDue) {
      await deliveryJobs.add({ id: `${ref}.${Date.now()}`, data: { kind: 'deliver', ref } });
    }
    await planLook(projects, ref, look.nextSeconds);
  }

  #mustPlan(ref: string): boolean {
    return Date.now() - (this.#plannedAt.get(ref) ?? -Infinity) > renewalMs;
  }

  async #plan(ref: string, schedules: readonly ActiveSchedule[]): Promise<void> {
    const store = scheduleStore(this.deps.deliveryJobs);
    for (const schedule of schedules) await store.save(ref, schedule);
    this.#plannedAt.set(ref, Date.now());
  }
}
