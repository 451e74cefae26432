// Writes what the projects of this process were used for to the control plane, once a minute.
import type { Logger } from 'pino';

import {
  type ProjectsContext,
  recordSize,
  recordUsage,
  type UsageEntry,
} from '#libs/control-plane';
import { isOutage } from '#libs/errors';
import { type MeasuredSize, measureProject, type ProjectRuntime } from '#libs/project-runtime';
import type { Usage } from '#libs/wire';

const minuteMs = 60_000;
/** A project that is used is measured this often. */
const measureEveryMs = 5 * minuteMs;
/** What is kept while the control plane is away: ten minutes of 1,000 projects. Beyond it, the oldest goes. */
const maxKept = 10_000;

/** A live project, as far as it is counted and measured. */
export type CountedProject = Pick<ProjectRuntime, 'record' | 'takeUsage' | 'measuredAt' | 'db'>;

interface WriterDeps {
  readonly dataSource: ProjectsContext['dataSource'];
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly now: () => number;
  /** Default: {@link measureProject}. */
  readonly measure?: (project: CountedProject) => Promise<MeasuredSize>;
}

export class UsageWriter {
  private kept: UsageEntry[] = [];
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isAway = false;
  private isClosed = false;

  constructor(private readonly deps: WriterDeps) {}

  /** Keeps what a project was used for in the current minute for the next write. */
  keep(ref: string, usage: Usage): void {
    this.add({ ref, at: new Date(this.deps.now()), usage });
    if (this.kept.length > maxKept) this.kept.shift();
  }

  /** Writes at the end of each minute, so that each count is in its own one. */
  start(listLive: () => readonly CountedProject[]): void {
    const wait = minuteMs - (this.deps.now() % minuteMs);
    this.timer = setTimeout(() => {
      this.start(listLive);
      // Measuring the projects of one minute may take longer than that.
      this.running ??= this.write(listLive()).finally(() => (this.running = undefined));
    }, wait);
    this.timer.unref();
  }

  /** Takes the counts of the minute that has just ended, writes them, and measures projects that were reached. Never rejects. */
  async write(live: readonly CountedProject[]): Promise<void> {
    const at = new Date(this.deps.now() - 1);
    const reached: CountedProject[] = [];
    for (const project of live) {
      const usage = project.takeUsage();
      if (!usage) continue;
      reached.push(project);
      this.add({ ref: project.record.ref, at, usage });
    }
    this.kept = this.kept.slice(-maxKept);
    if (await this.flush()) await this.measure(reached);
  }

  /** Requests of operators change a project, but are no use of it. */
  private add(entry: UsageEntry): void {
    const { requests, signIns } = entry.usage;
    if (requests !== 0 || signIns !== 0) this.kept.push(entry);
  }

  /** Stops, and writes what is left. The projects are closed before. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    this.isClosed = true;
    await this.running;
    await this.flush();
  }

  /** Returns whether everything is written. */
  private async flush(): Promise<boolean> {
    const { dataSource, log } = this.deps;
    const entries = this.kept;
    this.kept = [];
    try {
      await recordUsage(dataSource, entries);
      this.isAway = false;
      return true;
    } catch (err) {
      if (!isOutage(err)) {
        log.error({ err, entries: entries.length }, 'the usage of projects was lost');
        return false;
      }
      this.kept = [...entries, ...this.kept].slice(-maxKept);
      // Once for each outage.
      if (!this.isAway) log.warn({ err }, 'the usage of projects could not be written');
      this.isAway = true;
      return false;
    }
  }

  /** One after the other: nothing waits for it. */
  private async measure(projects: readonly CountedProject[]): Promise<void> {
    const { dataSource, log, now, measure = ({ db }) => measureProject(db) } = this.deps;
    for (const project of projects) {
      if (this.isClosed) return;
      if (now() - project.measuredAt < measureEveryMs) continue;
      project.measuredAt = now();
      try {
        await recordSize(dataSource, project.record.ref, await measure(project));
      } catch (err) {
        log.warn({ err, ref: project.record.ref }, 'a project could not be measured');
      }
    }
  }
}
