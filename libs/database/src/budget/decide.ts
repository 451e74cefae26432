// What the connection budget does next: the state in, a list of actions out. Nothing here changes the state,
// waits or reads a clock.
//
// Rules: no request waits while there is room; one project has `perProject` at most; the last tenth of the
// budget is kept for projects without any connection, so that a quiet project always gets its first;
// when the budget is full, the connection that is idle for longest makes room; when all are busy,
// projects above the fair part give up what they release to projects below it.

import { Draft } from './draft.js';
import { headSince, isPlaceFor, isPoorer, sizeOf, unservedIn, unservedOf } from './facts.js';
import type { Action, LaneState, PoolState, ProjectState, SlotState } from './state.js';

/** A lane takes over a connection of a richer lane when the first of its queue has waited for this long. */
const LANE_SWITCH_MS = 50;
/** The same of any other lane: what its own connections do may take for ever. */
const LANE_STARVED_MS = 1_000;

/** Opens as many connections as the project has waiters, as far as the limits and idle connections allow. */
export function placesFor(pool: PoolState, project: ProjectState): Action[] {
  const draft = new Draft(pool);
  draft.openForWaiting(project);
  return draft.actions;
}

/** The same for all projects that wait, the one with the fewest connections first. */
export function placesForAll(pool: PoolState): Action[] {
  if (pool.asking.size === 0) return [];
  const hungry = [...pool.asking].filter((project) => unservedOf(project, pool) > 0);
  const draft = new Draft(pool);
  for (const project of hungry.sort((a, b) => a.open - b.open)) draft.openForWaiting(project);
  return draft.actions;
}

/** Opens a connection ahead of demand, if no other has to be closed for it and no reserved place is needed. */
export function growthOf(pool: PoolState, lane: LaneState): Action[] {
  const { isClosed, open } = lane.project;
  return !isClosed && isPlaceFor(open, pool.open, pool) ? [{ kind: 'open', lane }] : [];
}

/** Closes a connection that was just given back, if it is needed more elsewhere. */
export function giveUp(pool: PoolState, slot: SlotState): Action | undefined {
  const { project } = slot.lane;
  if (project.isClosed || isOwedByOthers(pool, project)) return { kind: 'close', slot };
  const owedTo = project.waiting > 0 ? laneBefore(pool, slot.lane) : undefined;
  return owedTo && { kind: 'close', slot, owedTo };
}

/** Refuses one waiter for one failed attempt to open a connection: the next attempt may be luckier. */
export function afterFailure(lane: LaneState, because: Error): Action[] {
  for (const waiter of lane.waiting) return [{ kind: 'refuse', waiter, because }];
  return [];
}

/** Refuses who waits and closes what is idle, in a project that has no more use of it. */
export function endOf(project: ProjectState, because: Error): Action[] {
  return project.lanes.flatMap((lane): Action[] => [
    ...[...lane.waiting].map((waiter): Action => ({ kind: 'refuse', waiter, because })),
    ...idleOf(lane),
  ]);
}

/** Closes all idle connections of a lane. */
export function idleOf(lane: LaneState): Action[] {
  return lane.idle.map((slot): Action => ({ kind: 'close', slot }));
}

/** Closes whatever is open in a project. */
export function restOf(project: ProjectState): Action[] {
  const usable = project.lanes.flatMap((lane) => [...lane.slots].filter((slot) => slot.isUsable));
  return usable.map((slot): Action => ({ kind: 'close', slot }));
}

/** Closes what was idle for too long. `nextAt`: when to look again; undefined if nothing is idle. */
export function sweep(pool: PoolState): { actions: Action[]; nextAt: number | undefined } {
  const actions: Action[] = [];
  let nextAt: number | undefined;
  for (const project of pool.projects) {
    for (const slot of project.lanes.flatMap((lane) => lane.idle)) {
      const endsAt = slot.idleSince + pool.limits.idleMs;
      if (endsAt <= pool.now) actions.push({ kind: 'close', slot });
      else nextAt = Math.min(nextAt ?? Infinity, endsAt);
    }
  }
  return { actions, nextAt };
}

/** Whether a project has more than its fair part while others below theirs wait for a place. */
function isOwedByOthers(pool: PoolState, project: ProjectState): boolean {
  if (pool.asking.size === 0) return false;
  const fair = fairPart(pool);
  if (project.open <= fair) return false;
  let owed = 0;
  for (const other of pool.asking) {
    if (other === project || isPlaceFor(other.open, pool.open, pool)) continue;
    owed += Math.max(0, Math.min(unservedOf(other, pool), fair - other.open));
  }
  return owed > pool.closing;
}

function fairPart({ projects, limits }: PoolState): number {
  let active = 0;
  for (const { open, waiting } of projects) if (open > 0 || waiting > 0) active++;
  return Math.max(1, Math.floor(limits.total / Math.max(1, active)));
}

/**
 * The lane that goes before `lane`: it has no connection at all, or the older queue and fewer connections, or
 * it has waited for too long.
 */
function laneBefore(pool: PoolState, lane: LaneState): LaneState | undefined {
  const { lanes, closing } = lane.project;
  return lanes.find((other) => {
    if (other === lane || other.waiting.size === 0) return false;
    if (unservedIn(other, pool) <= closing) return false;
    if (sizeOf(other) === 0) return true;
    const since = headSince(other);
    if (since >= headSince(lane)) return false;
    const isFewer = isPoorer(sizeOf(other), sizeOf(lane));
    return pool.now - since > (isFewer ? LANE_SWITCH_MS : LANE_STARVED_MS);
  });
}
