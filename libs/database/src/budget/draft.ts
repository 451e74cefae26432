// The budget after the actions that are decided so far. It copies the parts of the state that it reads.

import { headSince, isPlaceFor, isSmaller, sizeOf, unservedIn } from './facts.js';
import type { Action, LaneState, PoolState, ProjectState, SlotState } from './state.js';

/**
 * A connection that is idle for a shorter time is about to be used again: requests that alternate between two lanes
 * would otherwise close and open connections all the time, which costs more than all of their work.
 */
const LANE_IDLE_MS = 1_000;

interface ProjectDraft {
  readonly state: ProjectState;
  readonly lanes: readonly LaneDraft[];
  readonly replacements: Set<LaneDraft>;
  open: number;
  closing: number;
}

interface LaneDraft {
  readonly state: LaneState;
  readonly headSince: number;
  /** Waiters without a connection that is being opened for them; negative if more are being opened. */
  unserved: number;
  size: number;
  /** How many idle connections are already closed, least recently used first. */
  closed: number;
}

/** Collects the actions that provide connections for waiters. */
export class Draft {
  readonly actions: Action[] = [];
  readonly #pool: PoolState;
  readonly #projects: ProjectDraft[] = [];
  #open: number;
  #closing: number;

  constructor(pool: PoolState) {
    this.#pool = pool;
    this.#open = pool.open;
    this.#closing = pool.closing;
  }

  openForWaiting(state: ProjectState): void {
    if (state.isClosed) return;
    const project = this.#project(state);
    for (;;) {
      const lane = this.#nextReplacement(project) ?? neediest(project);
      if (!lane) return;
      if (isPlaceFor(project.open, this.#open, this.#pool)) this.#openIn(project, lane);
      else if (!this.#makeRoomFor(project, lane)) return;
    }
  }

  #nextReplacement({ replacements }: ProjectDraft): LaneDraft | undefined {
    for (const lane of replacements) {
      if (lane.unserved > 0) return lane;
      replacements.delete(lane);
      this.actions.push({ kind: 'forget', lane: lane.state });
    }
    return undefined;
  }

  #openIn(project: ProjectDraft, lane: LaneDraft): void {
    project.replacements.delete(lane);
    project.open++;
    this.#open++;
    lane.unserved--;
    lane.size++;
    this.actions.push({ kind: 'open', lane: lane.state });
  }

  /** Closes an idle connection for a new one; false if there is none or enough are already closing. */
  #makeRoomFor(project: ProjectDraft, lane: LaneDraft): boolean {
    if (project.open < this.#pool.limits.perProject) return this.#makeRoomAnywhere();
    if (project.closing >= unservedOf(project)) return false;
    const latest = this.#pool.now - LANE_IDLE_MS;
    const givers = project.lanes.filter(
      (other) =>
        isSmaller(lane.size, other.size) || (oldestOf(other)?.idleSince ?? Infinity) <= latest,
    );
    if (this.#closeOldest(givers)) return true;
    const idleSince = oldestIdle(project.lanes)?.slot.idleSince;
    if (idleSince !== undefined) {
      this.actions.push({ kind: 'look', project: project.state, at: idleSince + LANE_IDLE_MS });
    }
    return false;
  }

  #makeRoomAnywhere(): boolean {
    const { projects, limits } = this.#pool;
    let needed = 0;
    const lanes: LaneDraft[] = [];
    for (const state of projects) {
      if (state.open === 0 && state.waiting === 0) continue;
      const project = this.#project(state);
      lanes.push(...project.lanes);
      if (state.isClosed) continue;
      needed += Math.min(unservedOf(project), limits.perProject - project.open);
    }
    return this.#closing < needed && this.#closeOldest(lanes);
  }

  #closeOldest(lanes: readonly LaneDraft[]): boolean {
    const oldest = oldestIdle(lanes);
    if (!oldest) return false;
    const { lane, slot } = oldest;
    lane.closed++;
    this.#project(lane.state.project).closing++;
    this.#closing++;
    this.actions.push({ kind: 'close', slot });
    return true;
  }

  #project(state: ProjectState): ProjectDraft {
    const known = this.#projects.find((each) => each.state === state);
    if (known) return known;
    const lanes = state.lanes.map((lane): LaneDraft => ({
      state: lane,
      headSince: headSince(lane),
      unserved: unservedIn(lane, this.#pool),
      size: sizeOf(lane),
      closed: 0,
    }));
    const replacements = new Set<LaneDraft>();
    for (const lane of state.replacements) {
      const draft = lanes.find((each) => each.state === lane);
      if (draft) replacements.add(draft);
    }
    const draft = { state, lanes, replacements, open: state.open, closing: state.closing };
    this.#projects.push(draft);
    return draft;
  }
}

function unservedOf({ lanes }: ProjectDraft): number {
  let unserved = 0;
  for (const lane of lanes) unserved += Math.max(0, lane.unserved);
  return unserved;
}

/** Among the lanes that need more connections, the one with the oldest queue. */
function neediest({ lanes }: ProjectDraft): LaneDraft | undefined {
  let found: LaneDraft | undefined;
  for (const lane of lanes) {
    if (lane.unserved > 0 && (!found || isNeedier(lane, found))) found = lane;
  }
  return found;
}

function isNeedier(lane: LaneDraft, than: LaneDraft): boolean {
  return lane.headSince === than.headSince
    ? lane.size < than.size
    : lane.headSince < than.headSince;
}

/** The least recently used idle connection of a lane. */
function oldestOf({ state, closed }: LaneDraft): SlotState | undefined {
  return state.idle[closed];
}

/** The least recently used idle connection of several lanes. */
function oldestIdle(
  lanes: readonly LaneDraft[],
): { readonly lane: LaneDraft; readonly slot: SlotState } | undefined {
  let oldest: { readonly lane: LaneDraft; readonly slot: SlotState } | undefined;
  for (const lane of lanes) {
    const slot = oldestOf(lane);
    if (slot && slot.idleSince < (oldest?.slot.idleSince ?? Infinity)) oldest = { lane, slot };
  }
  return oldest;
}
