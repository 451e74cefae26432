// Chooses the connection of a lane for each waiting request. Pure.

import { isWorking, type Moment, roomIn } from './facts.js';
import type { Action, LaneState, SlotState } from './state.js';
import type { LeaseMode } from './types.js';

/** If a shared connection serves this many users, another one is opened. */
const GROW_AT_USERS = 2;

/** Returns the connection for the first request in the queue. */
export function choose<C>(
  lane: LaneState<C>,
  mode: LeaseMode,
  moment: Moment,
): SlotState<C> | undefined {
  // Quick reads ignore the pace.
  if (lane.waiting.size > 0 && (mode !== 'shared' || roomIn(lane, moment) > 0)) return undefined;
  const last = mode === 'shared' ? lane.shared.at(-1) : undefined;
  if (last && isFilling(lane, last, last.users)) return last;
  if (lane.idle.length > 0 && mayWork(mode, lane.shared.length, () => roomIn(lane, moment)))
    return lane.idle.at(-1);
  return mode === 'shared' ? leastUsed(lane, lane.shared, (slot) => slot.users) : undefined;
}

/** Whether another connection is worth opening after `slot` was granted. */
export function isCrowded(slot: SlotState, moment: Moment): boolean {
  return slot.users > GROW_AT_USERS && slot.lane.opening === 0 && roomIn(slot.lane, moment) > 0;
}

/** Distributes the free connections, in the order of the queue. Quick reads pass requests that wait for the pace. */
export function grantsOf<C>(lane: LaneState<C>, moment: Moment): Action<C>[] {
  const actions: Action<C>[] = [];
  if (lane.waiting.size === 0) return actions;
  const draft = new LaneDraft(lane, moment);
  let isPacedOut = false;
  for (const waiter of lane.waiting) {
    if (isPacedOut && waiter.mode !== 'shared') continue;
    const slot = draft.take(waiter.mode);
    if (slot) actions.push({ kind: 'grant', slot, waiter });
    else if (waiter.mode === 'shared' || draft.room > 0) break;
    else isPacedOut = true;
  }
  return actions;
}

/** A lane after the grants that are decided so far. */
class LaneDraft<C> {
  room: number;
  readonly #lane: LaneState<C>;
  readonly #now: number;
  readonly #shared: SlotState<C>[];
  readonly #granted = new Map<SlotState<C>, number>();
  #idle: number;

  constructor(lane: LaneState<C>, moment: Moment) {
    this.room = roomIn(lane, moment);
    this.#lane = lane;
    this.#now = moment.now;
    this.#shared = lane.shared.slice();
    this.#idle = lane.idle.length;
  }

  take(mode: LeaseMode): SlotState<C> | undefined {
    const slot =
      (mode === 'shared' ? this.#filling() : undefined) ??
      this.#takeIdle(mode) ??
      (mode === 'shared' ? leastUsed(this.#lane, this.#shared, this.#users) : undefined);
    if (!slot) return undefined;
    if (!this.#granted.has(slot) && !isWorking(slot, this.#now)) {
      this.room = Math.max(0, this.room - 1);
    }
    this.#granted.set(slot, (this.#granted.get(slot) ?? 0) + 1);
    return slot;
  }

  #filling(): SlotState<C> | undefined {
    const last = this.#shared.at(-1);
    return last && isFilling(this.#lane, last, this.#users(last)) ? last : undefined;
  }

  #takeIdle(mode: LeaseMode): SlotState<C> | undefined {
    if (this.#idle === 0 || !mayWork(mode, this.#shared.length, () => this.room)) return undefined;
    this.#idle--;
    const slot = this.#lane.idle[this.#idle];
    if (slot && mode === 'shared') this.#shared.push(slot);
    return slot;
  }

  readonly #users = (slot: SlotState<C>): number => slot.users + (this.#granted.get(slot) ?? 0);
}

/** Quick reads may always use one connection: otherwise they would wait for slow statements of their own project. */
function mayWork(mode: LeaseMode, shared: number, room: () => number): boolean {
  return (mode === 'shared' && shared === 0) || room() > 0;
}

/** Simultaneous requests use one connection: one write carries them, and one read brings the answers. */
function isFilling<C>(lane: LaneState<C>, slot: SlotState<C>, users: number): boolean {
  return users < lane.plan.depth && lane.plan.isFilling?.(slot.connection) === true;
}

function leastUsed<C>(
  lane: LaneState<C>,
  slots: readonly SlotState<C>[],
  usersOf: (slot: SlotState<C>) => number,
): SlotState<C> | undefined {
  let least: SlotState<C> | undefined;
  let fewest = lane.plan.depth;
  for (const slot of slots) {
    const users = usersOf(slot);
    if (users >= fewest) continue;
    least = slot;
    fewest = users;
  }
  return least;
}
