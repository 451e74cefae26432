// Writes frames to sockets and keeps an eye on clients that do not read. What is only worth something now is left out
// while too much waits; changes of rows are never left out: the client is disconnected and asks for them later.
import { fail } from '#libs/errors';

import type { Frame } from './frame.js';
import type { Member } from './member.js';

/** Messages and presence are left out while more than this waits. */
const busyBytes = 1024 * 1024;
/** A client for which more than this waits is disconnected. */
const maxBytes = 4 * 1024 * 1024;
/** So is one for which more than `busyBytes` wait for this long. */
const maxSlowMs = 5_000;

export class Delivery {
  /** Frames that were left out because their receiver did not read. */
  dropped = 0;
  sent = 0;

  constructor(private readonly now: () => number) {}

  /** Sends a frame unless the client is too slow. Returns whether it was sent. */
  offer(member: Member, frame: Frame): boolean {
    if (this.isTooSlow(member)) return false;
    if (member.slowSince === undefined) return this.write(member, frame);
    this.dropped += 1;
    return false;
  }

  /** Sends a frame that the client must receive, or disconnects it. */
  send(member: Member, frame: Frame): void {
    if (!this.isTooSlow(member)) this.write(member, frame);
  }

  /**
   * Sends a frame that the client must receive if it has read almost everything. Returns false if it has not; a client
   * that is gone receives nothing more.
   */
  sendIfRead(member: Member, frame: Frame): boolean {
    if (this.isTooSlow(member)) return true;
    return member.slowSince === undefined && this.write(member, frame);
  }

  /** Whether a client has read almost everything, or is gone. A client that reads too slowly is disconnected. */
  hasRoom(member: Member): boolean {
    return this.isTooSlow(member) || member.slowSince === undefined;
  }

  private write(member: Member, frame: Frame): true {
    this.sent += 1;
    member.socket.send(frame);
    return true;
  }

  private isTooSlow(member: Member): boolean {
    const waiting = member.socket.bufferedBytes;
    if (waiting <= busyBytes) {
      member.slowSince = undefined;
      return member.isGone;
    }
    const now = this.now();
    member.slowSince ??= now;
    if (waiting <= maxBytes && now - member.slowSince < maxSlowMs) return member.isGone;
    member.end(fail('SLOW_CONSUMER'));
    return true;
  }
}
