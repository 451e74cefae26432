// The state of the connection budget as plain data. `pool.ts` writes it, `decide.ts` only reads it.

import type { Pace } from './pace.js';
import type { BudgetLimits, LanePlan, LeaseMode } from './types.js';

/** All projects of a process. */
export interface PoolState {
  readonly limits: BudgetLimits;
  /** Places that are reserved for projects without any connection. */
  readonly keptForFirst: number;
  readonly projects: Set<ProjectState>;
  /** The projects that have waiters. */
  readonly asking: Set<ProjectState>;
  /** The time for which the state is evaluated. */
  now: number;
  /** Until when several projects count as active. */
  severalUntil: number;
  /** Connections of any state, from the start of opening to the end of closing. */
  open: number;
  closing: number;
}

/** The share of one project. */
export interface ProjectState {
  readonly lanes: LaneState[];
  /** Lanes for which a connection of another lane is being closed; they open next. */
  readonly replacements: Set<LaneState>;
  open: number;
  closing: number;
  waiting: number;
  isClosed: boolean;
  /** Called when a project that is being closed has no connection left. */
  onEmpty: (() => void) | undefined;
}

/** One kind of connections of one project. */
export interface LaneState<C = unknown> {
  readonly project: ProjectState;
  readonly plan: LanePlan<C>;
  /** Absent if any number of connections may work. */
  readonly pace: Pace | undefined;
  /** In order of arrival. */
  readonly waiting: Set<Waiter<C>>;
  /** All connections that count against the budget, except those that are being opened. */
  readonly slots: Set<SlotState<C>>;
  /** Least recently used first. */
  readonly idle: SlotState<C>[];
  readonly shared: SlotState<C>[];
  /** How many of the waiters would share a connection. */
  waitingShared: number;
  opening: number;
  /** Gives a connection of the lane back; see `Lane.release`. */
  release(slot: SlotState<C>, discard?: boolean): void;
}

/** One open connection and its users. `gone` slots no longer count against the budget. */
export interface SlotState<C = unknown> {
  readonly lane: LaneState<C>;
  readonly connection: C;
  state: 'idle' | LeaseMode | 'closing' | 'gone';
  users: number;
  idleSince: number;
  /** When it was last acquired or released. */
  movedAt: number;
  readonly isUsable: boolean;
}

export interface Waiter<C = unknown> {
  readonly mode: LeaseMode;
  readonly since: number;
  grant(slot: SlotState<C>): void;
  refuse(error: Error): void;
}

/** The actions to run, in this order. */
export type Action<C = unknown> =
  | { readonly kind: 'open'; readonly lane: LaneState<C> }
  /** `replacedBy`: the lane that opens a connection when this one is closed. */
  | {
      readonly kind: 'close';
      readonly slot: SlotState<C>;
      readonly replacedBy?: LaneState | undefined;
    }
  | { readonly kind: 'grant'; readonly slot: SlotState<C>; readonly waiter: Waiter<C> }
  | { readonly kind: 'refuse'; readonly waiter: Waiter<C>; readonly because: Error }
  /** The lane no longer needs a connection of another lane. */
  | { readonly kind: 'forget'; readonly lane: LaneState }
  /** The passing of time may give the project a connection: decide again then. */
  | { readonly kind: 'look'; readonly project: ProjectState; readonly at: number };
