// The places of the budget after the actions that are decided so far. It copies of the state what it looks at.

import { headSince, isPlaceFor, isPoorer, sizeOf, unservedIn } from './facts.js';
import type { Action, LaneState, PoolState, ProjectState, SlotState } from './state.js';

/**
 * A connection that is idle for less is about to be used again: requests that need two lanes by turns would
 * otherwise close and open connections all the time, which costs more than all of their work.
 */
const LANE_IDLE_MS = 1_000;

interface ProjectDraft {
  readonly state: ProjectState;
  readonly lanes: readonly LaneDraft[];
  readonly owed: Set<LaneDraft>;
  open: number;
  closing: number;
}

interface LaneDraft {
  readonly state: LaneState;
  readonly headSince: number;
  /** Waiters that no connection on its way will serve; negative when more are on their way. */
  unserved: number;
  size: number;
  /** How many idle connections are closed already, the longest idle ones first. */
  closed: number;
}

/** Collects the actions that bring connections to those who wait. */
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
      const lane = this.#nextOwed(project) ?? neediest(project);
      if (!lane) return;
      if (isPlaceFor(project.open, this.#open, this.#pool)) this.#openIn(project, lane);
      else if (!this.#makeRoomFor(project, lane)) return;
    }
  }

  #nextOwed({ owed }: ProjectDraft): LaneDraft | undefined {
    for (const lane of owed) {
      if (lane.unserved > 0) return lane;
      owed.delete(lane);
      this.actions.push({ kind: 'forget', lane: lane.state });
    }
    return undefined;
  }

  #openIn(project: ProjectDraft, lane: LaneDraft): void {
    project.owed.delete(lane);
    project.open++;
    this.#open++;
    lane.unserved--;
    lane.size++;
    this.actions.push({ kind: 'open', lane: lane.state });
  }

  /** Closes an idle connection for a new one; false when there is none or enough are closing already. */
  #makeRoomFor(project: ProjectDraft, lane: LaneDraft): boolean {
    if (project.open < this.#pool.limits.perProject) return this.#makeRoomAnywhere();
    if (project.closing >= unservedOf(project)) return false;
    const latest = this.#pool.now - LANE_IDLE_MS;
    const givers = project.lanes.filter(
      (other) =>
        isPoorer(lane.size, other.size) || (oldestOf(other)?.idleSince ?? Infinity) <= latest,
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
    let owed = 0;
    const lanes: LaneDraft[] = [];
    for (const state of projects) {
      if (state.open === 0 && state.waiting === 0) continue;
      const project = this.#project(state);
      lanes.push(...project.lanes);
      if (state.isClosed) continue;
      owed += Math.min(unservedOf(project), limits.perProject - project.open);
    }
    return this.#closing < owed && this.#closeOldest(lanes);
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
    const owed = new Set<LaneDraft>();
    for (const lane of state.owed) {
      const draft = lanes.find((each) => each.state === lane);
      if (draft) owed.add(draft);
    }
    const draft = { state, lanes, owed, open: state.open, closing: state.closing };
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

/** The connection of a lane that is idle for longest. */
function oldestOf({ state, closed }: LaneDraft): SlotState | undefined {
  return state.idle[closed];
}

/** The connection of some lanes that is idle for longest. */
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
