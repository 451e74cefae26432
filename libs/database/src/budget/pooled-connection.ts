import type { LaneState, SlotState } from './state.js';
import type { LeaseMode } from './types.js';

/** One open connection of a lane. */
export class PooledConnection<C> implements SlotState<C> {
  readonly lane: LaneState<C>;
  readonly connection: C;
  state: 'idle' | LeaseMode | 'closing' | 'gone' = 'idle';
  users = 0;
  idleSince = 0;
  movedAt = 0;

  constructor(lane: LaneState<C>, connection: C) {
    this.lane = lane;
    this.connection = connection;
  }

  get isUsable(): boolean {
    return this.state !== 'closing' && this.state !== 'gone';
  }
}
