import type { Lane } from './lane.js';
import type { LeaseMode } from './types.js';

/** One open connection and who uses it. `gone` connections no longer count against the budget. */
export class PooledConnection<C> {
  readonly lane: Lane<C>;
  readonly connection: C;
  state: 'idle' | LeaseMode | 'closing' | 'gone' = 'idle';
  users = 0;
  idleSince = 0;
  /** When it was last taken or given back. */
  movedAt = 0;

  constructor(lane: Lane<C>, connection: C) {
    this.lane = lane;
    this.connection = connection;
  }

  get isUsable(): boolean {
    return this.state !== 'closing' && this.state !== 'gone';
  }
}
