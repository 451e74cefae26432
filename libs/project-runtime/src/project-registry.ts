// Which project answers at a host name, and its runtime while it is in use. The only file with a map by project. A host
// is either known (`routeByHost`, with its ref) or refused for a while (`refused`). A ref is opening, then live. A
// runtime that is evicted (at the latest as the least recently used of too many) drains and closes.
import { AppError, fail } from '#libs/errors';

import { OpeningQueue } from './opening-queue.js';
import type { ProjectRecord, ReleaseRefusal } from '#libs/database';
import type { Lease } from './replaceable.js';

const unknownTtlMs = 10_000;
const pausedTtlMs = 2_000;
/** The least time between two records of a project's use. */
const noteEveryMs = 600_000;
const maxRefusedHosts = 1_000;
const maxKnownHosts = 10_000;
/** More openings at once would only wait for connections, possibly longer than they may. */
const openAtOnce = 8;
/** An opening that takes longer, such as a migration, no longer delays other projects. */
const openingHoldMs = 1_000;

/** The purpose of an opening: requests on rows need a connection of their own kind. */
export type FirstUse = 'rows' | 'other';

/** The methods of a runtime that the registry needs. */
export interface LiveProject {
  readonly record: ProjectRecord;
  /** Takes over a newer record of the same project. Returns false if the project has to be opened again for it. */
  updateRecord(record: ProjectRecord): boolean;
  /** Ends connections that last, whose leases would keep the project open. */
  disconnect(): void;
  close(): Promise<void>;
}

export interface RegistryOptions<P extends LiveProject> {
  readonly rootDomain: string;
  /** The ref that answers for unknown hosts outside the root domain. */
  readonly defaultRef: string | undefined;
  readonly maxLive: number;
  /** How long an evicted runtime waits for its leases. Longer than any request may take. */
  readonly drainMs: number;
  readonly findByRef: (ref: string) => Promise<ProjectRecord | undefined>;
  readonly findByDomain: (domain: string) => Promise<ProjectRecord | undefined>;
  readonly listVersions: (
    refs: readonly string[],
  ) => Promise<readonly { readonly ref: string; readonly version: number }[]>;
  /** Records that these projects were used, so that the worker looks after them. */
  readonly noteUse: (refs: readonly string[]) => Promise<void>;
  readonly open: (record: ProjectRecord, use: FirstUse) => Promise<P>;
  /** Reads everything of a project again that another process may have changed. */
  readonly reload: (project: P) => Promise<void>;
  readonly now: () => number;
  readonly onError: (error: unknown, doing: string, level?: 'warn' | 'error') => void;
}

interface Entry<P> {
  readonly project: P;
  leases: number;
  lastUsedAt: number;
  /** When its use was last recorded. */
  notedAt: number;
  /** Ends the drain when the last lease is released. */
  onFree: (() => void) | undefined;
}

/** Where a host leads. A host that leads to the default project is looked up again after a while. */
interface Route {
  readonly ref: string;
  readonly until: number;
}

interface Refusal {
  readonly code:
    'PROJECT_NOT_FOUND' | 'PROJECT_PAUSED' | 'PROJECT_SECRETS_UNREADABLE' | ReleaseRefusal;
  readonly until: number;
}

export class ProjectRegistry<P extends LiveProject> {
  private readonly live = new Map<string, Entry<P>>();
  private readonly routeByHost = new Map<string, Route>();
  private readonly opening = new Map<string, Promise<Entry<P>>>();
  private readonly refused = new Map<string, Refusal>();
  private readonly openings = new OpeningQueue({ places: openAtOnce, holdMs: openingHoldMs });
  private readonly draining = new Set<Promise<void>>();
  private drainMs: number;
  private repairedAt = 0;
  private isClosed = false;

  constructor(private readonly options: RegistryOptions<P>) {
    this.drainMs = options.drainMs;
  }

  /** Returns a lease at once if the project of `host` is live; undefined otherwise: then call {@link acquire}. */
  acquireLive(host: string): Lease<P> | undefined {
    const route = this.routeByHost.get(host);
    if (!route || route.until <= this.options.now() || this.isClosed) return undefined;
    const entry = this.live.get(route.ref);
    return entry && this.lease(entry);
  }

  /**
   * Returns a lease on the project that answers at `host` (lower case, without port and trailing dot). Throws
   * PROJECT_NOT_FOUND, PROJECT_PAUSED, the refusal of its record, SHUTTING_DOWN, and the errors of opening it.
   */
  async acquire(host: string, use: FirstUse = 'other'): Promise<Lease<P>> {
    if (this.isClosed) throw fail('SHUTTING_DOWN', {}, { retryAfterSeconds: 1 });
    const held = this.acquireLive(host);
    if (held) return held;
    const refusal = this.refused.get(host);
    if (refusal && refusal.until > this.options.now()) throw errorOf(refusal.code);
    const entry = await this.openHost(host, use);
    return this.lease(entry);
  }

  /** The live projects, for figures and for work that visits each of them. */
  listLive(): readonly P[] {
    return [...this.live.values()].map((entry) => entry.project);
  }

  /** How many projects are live and how many leases are held. */
  stats(): { readonly live: number; readonly leases: number; readonly draining: number } {
    let leases = 0;
    for (const entry of this.live.values()) leases += entry.leases;
    return { live: this.live.size, leases, draining: this.draining.size };
  }

  /** Reads the record again after a signal that it changed. */
  async reload(ref: string): Promise<void> {
    this.refused.clear();
    this.routeByHost.clear();
    const entry = this.live.get(ref);
    if (!entry) return;
    const record = await this.options.findByRef(ref).catch((error: unknown) => {
      if (!isUnreadable(error)) throw error;
      this.options.onError(error, `read the record of ${ref}`);
      return undefined;
    });
    if (record?.status !== 'active' || record.refusal !== undefined) {
      this.evict(ref);
      return;
    }
    if (record.version <= entry.project.record.version) return;
    if (!entry.project.updateRecord(record)) this.evict(ref);
    this.routeByHost.clear();
  }

  /** The project with this ref if it is live. */
  findLive(ref: string): P | undefined {
    return this.live.get(ref)?.project;
  }

  /**
   * Makes up for lost signals: compares the versions of all live projects with the control plane, and reloads those
   * that were used since the last repair. Records which are used.
   */
  async repair(): Promise<void> {
    const since = this.repairedAt;
    this.repairedAt = this.options.now();
    await this.repairRecords();
    const used = [...this.live.values()].filter((entry) => entry.lastUsedAt >= since);
    await Promise.all(used.map((entry) => this.reloadProject(entry.project)));
    await this.noteUses();
  }

  /** A project that cannot be reloaded does not block the others, and is tried again at the next repair. */
  private async reloadProject(project: P): Promise<void> {
    try {
      await this.options.reload(project);
    } catch (error) {
      this.options.onError(error, `reload the settings of ${project.record.ref}`, 'warn');
    }
  }

  private async noteUses(): Promise<void> {
    const now = this.options.now();
    const entries = [...this.live.values()].filter(
      ({ lastUsedAt, notedAt }) => lastUsedAt >= notedAt && now - notedAt >= noteEveryMs,
    );
    if (entries.length === 0) return;
    await this.options.noteUse(entries.map(({ project }) => project.record.ref));
    for (const entry of entries) entry.notedAt = now;
  }

  private async repairRecords(): Promise<void> {
    const refs = [...this.live.keys()];
    if (refs.length === 0) return;
    const rows = await this.options.listVersions(refs);
    const versionByRef = new Map(rows.map((row) => [row.ref, row.version]));
    const stale = refs.filter(
      (ref) => versionByRef.get(ref) !== this.live.get(ref)?.project.record.version,
    );
    await Promise.all(stale.map((ref) => this.reload(ref)));
  }

  /** Takes the project out: new requests look it up again, running requests finish, then it closes. */
  evict(ref: string): void {
    const entry = this.live.get(ref);
    if (!entry) return;
    this.live.delete(ref);
    entry.project.disconnect();
    const drained = this.drain(entry).finally(() => this.draining.delete(drained));
    this.draining.add(drained);
  }

  /** Drains every project, for at most `drainMs`, and closes it. */
  async close(drainMs = this.options.drainMs): Promise<void> {
    this.isClosed = true;
    this.drainMs = Math.min(drainMs, this.options.drainMs);
    for (const ref of this.live.keys()) this.evict(ref);
    await Promise.allSettled(this.opening.values());
    for (const ref of this.live.keys()) this.evict(ref);
    await Promise.all(this.draining);
  }

  private async openHost(host: string, use: FirstUse): Promise<Entry<P>> {
    const { now } = this.options;
    const own = await this.findOwner(host).catch((error: unknown) => {
      if (isUnreadable(error)) this.refuse(host, 'PROJECT_SECRETS_UNREADABLE', unknownTtlMs);
      throw error;
    });
    const record = own ?? (await this.findDefault(host));
    if (!record) throw this.refuse(host, 'PROJECT_NOT_FOUND', unknownTtlMs);
    if (record.status === 'paused') throw this.refuse(host, 'PROJECT_PAUSED', pausedTtlMs);
    if (record.refusal) throw this.refuse(host, record.refusal, pausedTtlMs);
    const entry = await this.openOnce(record, use);
    bounded(this.routeByHost, maxKnownHosts).set(host, {
      ref: record.ref,
      until: own ? Infinity : now() + unknownTtlMs,
    });
    return entry;
  }

  private async findOwner(host: string): Promise<ProjectRecord | undefined> {
    const { findByRef, findByDomain } = this.options;
    const ref = this.refIn(host);
    return ref === undefined ? findByDomain(host) : findByRef(ref);
  }

  /** A host below the root domain names a project: if the name is unknown, the default project does not answer. */
  private async findDefault(host: string): Promise<ProjectRecord | undefined> {
    const { defaultRef, findByRef } = this.options;
    if (defaultRef === undefined || this.refIn(host) !== undefined) return undefined;
    return findByRef(defaultRef);
  }

  /** The part before the root domain. */
  private refIn(host: string): string | undefined {
    const suffix = `.${this.options.rootDomain}`;
    return host.endsWith(suffix) ? host.slice(0, -suffix.length) : undefined;
  }

  private openOnce(record: ProjectRecord, use: FirstUse): Promise<Entry<P>> {
    const live = this.live.get(record.ref);
    if (live) return Promise.resolve(live);
    const running = this.opening.get(record.ref);
    if (running) return running;
    const opening = this.openRuntime(record, use).finally(() => this.opening.delete(record.ref));
    this.opening.set(record.ref, opening);
    return opening;
  }

  private async openRuntime(record: ProjectRecord, use: FirstUse): Promise<Entry<P>> {
    const project = await this.openings.run(() => {
      if (this.isClosed) throw fail('SHUTTING_DOWN', {}, { retryAfterSeconds: 1 });
      return this.options.open(record, use);
    });
    const now = this.options.now();
    const entry = { project, leases: 0, lastUsedAt: now, notedAt: -Infinity, onFree: undefined };
    this.live.set(record.ref, entry);
    this.makeRoom(record.ref);
    return entry;
  }

  private makeRoom(newest: string): void {
    while (this.live.size > this.options.maxLive) {
      let oldest: string | undefined;
      let oldestUse = Infinity;
      for (const [ref, entry] of this.live) {
        if (entry.leases > 0 || ref === newest || entry.lastUsedAt >= oldestUse) continue;
        oldest = ref;
        oldestUse = entry.lastUsedAt;
      }
      // All are in use: the bound is restored when one of them is free.
      if (oldest === undefined) return;
      this.evict(oldest);
    }
  }

  private lease(entry: Entry<P>): Lease<P> {
    entry.leases += 1;
    entry.lastUsedAt = this.options.now();
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      entry.leases -= 1;
      if (entry.leases === 0) entry.onFree?.();
    };
    return { value: entry.project, release, [Symbol.dispose]: release };
  }

  private async drain(entry: Entry<P>): Promise<void> {
    if (entry.leases > 0) {
      await new Promise<void>((resolve) => {
        const deadline = setTimeout(resolve, this.drainMs);
        entry.onFree = () => {
          clearTimeout(deadline);
          resolve();
        };
      });
    }
    try {
      await entry.project.close();
    } catch (error) {
      this.options.onError(error, `close the project ${entry.project.record.ref}`);
    }
  }

  private refuse(host: string, code: Refusal['code'], ttlMs: number) {
    const until = this.options.now() + ttlMs;
    bounded(this.refused, maxRefusedHosts).set(host, { code, until });
    return errorOf(code);
  }
}

/** A record that cannot be read concerns its project alone. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'PROJECT_SECRETS_UNREADABLE';

/** Another process may serve the project, and an upgrade ends soon; seconds. */
const retryAfterSeconds = 1;

function errorOf(code: Refusal['code']) {
  if (code === 'PROJECT_NOT_FOUND' || code === 'PROJECT_PAUSED') return fail(code);
  return fail(code, {}, { retryAfterSeconds });
}

/** Makes space in the map for one more entry: the oldest entry is removed. */
function bounded<V>(map: Map<string, V>, max: number): Map<string, V> {
  const oldest = map.size < max ? undefined : map.keys().next();
  if (oldest && !oldest.done) map.delete(oldest.value);
  return map;
}
