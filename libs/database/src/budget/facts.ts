// Facts derived from the state of the connection budget. Pure.

import type { LaneState, PoolState, ProjectState, SlotState } from './state.js';

/** A connection on which nothing has begun or ended for this long does not count for the pace; milliseconds. */
const STUCK_MS = 250;

/** The part of the state that decides how many connections may work. */
export type Moment = Pick<PoolState, 'now' | 'severalUntil'>;

/** Connections of any state, those that are being opened included. */
export function sizeOf(lane: LaneState): number {
  return lane.slots.size + lane.opening;
}

/** When the first request of the queue came; Infinity for an empty queue. */
export function headSince(lane: LaneState): number {
  for (const waiter of lane.waiting) return waiter.since;
  return Infinity;
}

export function isWorking(slot: SlotState, now: number): boolean {
  return slot.users > 0 && slot.movedAt >= now - STUCK_MS;
}

/** Connections of the lane that work now. */
export function workingIn(lane: LaneState, now: number): number {
  let working = 0;
  for (const slot of lane.slots) if (isWorking(slot, now)) working++;
  return working;
}

/** Whether no connection of the lane was acquired or released after `since`, and none is being opened. */
export function isStill({ opening, slots }: LaneState, since: number): boolean {
  return opening === 0 && [...slots].every(({ movedAt }) => movedAt <= since);
}

/** How many more connections may work now: any number while no other project is active. */
export function roomIn(lane: LaneState, { now, severalUntil }: Moment): number {
  if (!lane.pace || now >= severalUntil) return Infinity;
  return Math.max(0, lane.pace.limit - workingIn(lane, now));
}

/** Whether a single request uses the lane while other projects are active. */
export function isLight({ slots }: LaneState, { now, severalUntil }: Moment): boolean {
  if (now >= severalUntil) return false;
  let users = 0;
  for (const slot of slots) users += slot.users;
  return users === 1;
}

/** Waiters of a lane without a connection that is being opened for them; negative if more are being opened. */
export function unservedIn(lane: LaneState, moment: Moment): number {
  if (lane.waiting.size === 0) return -lane.opening;
  const extra = lane.waitingShared > 0 && lane.shared.length === 0 ? 1 : 0;
  return Math.min(lane.waiting.size, roomIn(lane, moment) + extra) - lane.opening;
}

/** Waiters of a project without a connection that is being opened for them. */
export function unservedOf(project: ProjectState, moment: Moment): number {
  let unserved = 0;
  for (const lane of project.lanes) unserved += Math.max(0, unservedIn(lane, moment));
  return unserved;
}

/** Whether a project with `own` connections may open one more while there are `all`. */
export function isPlaceFor(own: number, all: number, pool: PoolState): boolean {
  if (own >= pool.limits.perProject) return false;
  return pool.limits.total - all > (own === 0 ? 0 : pool.keptForFirst);
}

/** Whether a lane has no more connections than the other one even after it has taken over one of them. */
export function isSmaller(size: number, than: number): boolean {
  return size === 0 || size + 1 < than;
}
