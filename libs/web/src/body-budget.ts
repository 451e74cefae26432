// Limits the memory of long bodies of a process, from their first bytes to the end of their requests.
// Callers who are signed out are the first without room.

/** The fraction of the total that one project may hold. */
const share = 1 / 4;

/** The fraction of either that callers may hold together who have not proved who they are. */
const shareOfStrangers = 1 / 2;

/** What the long bodies of one project hold; bytes. Only the budget changes it. */
export interface HeldBodies {
  known: number;
  /** Of callers who have not proved who they are. */
  strangers: number;
}

/** Looks up whether the caller of a body is signed in. */
export type FindCaller = () => Promise<boolean>;

/** Counts what the long bodies of all projects hold. */
export class BodyBudget {
  readonly #total: HeldBodies = { known: 0, strangers: 0 };
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** What all of them hold now. */
  get bytes(): number {
    return this.#total.known + this.#total.strangers;
  }

  /** Begins to count a body, of a project if it has one. Its caller is a stranger if `findCaller` is given. */
  hold(project?: HeldBodies, findCaller?: FindCaller): HeldBody {
    const counts = [{ held: this.#total, maxBytes: this.#maxBytes }];
    if (project) counts.push({ held: project, maxBytes: this.#maxBytes * share });
    return new HeldBody(counts, findCaller);
  }
}

interface Count {
  readonly held: HeldBodies;
  readonly maxBytes: number;
}

/** One long body; it ends with `release`. */
export class HeldBody {
  readonly #counts: readonly Count[];
  /** Undefined once the caller is known. */
  #findCaller: FindCaller | undefined;
  #bytes = 0;

  constructor(counts: readonly Count[], findCaller: FindCaller | undefined) {
    this.#counts = counts;
    this.#findCaller = findCaller;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Takes memory for further bytes; false if others hold too much. A body without others of its kind always has room:
   * the limit of its route may be larger than the budget.
   */
  take(bytes: number): boolean {
    const isRoom = this.#counts.every((count) => this.#hasRoom(count, bytes));
    if (isRoom) this.#change(bytes);
    return isRoom;
  }

  /** Looks up the caller of a body that has no room as a stranger's; false if it stays one or was none. */
  async prove(): Promise<boolean> {
    const isSignedIn = await this.#findCaller?.();
    if (isSignedIn !== true) return false;
    const bytes = this.#bytes;
    this.release();
    this.#findCaller = undefined;
    this.#change(bytes);
    return true;
  }

  release(): void {
    this.#change(-this.#bytes);
  }

  /** Strangers take no more than their share from others, also if a single body of theirs is larger. */
  #hasRoom({ held: { known, strangers }, maxBytes }: Count, bytes: number): boolean {
    const most = maxBytes * shareOfStrangers;
    if (!this.#findCaller) {
      return known === this.#bytes || known + Math.min(strangers, most) + bytes <= maxBytes;
    }
    const isInShare = strangers + bytes <= most && known + strangers + bytes <= maxBytes;
    return strangers === this.#bytes || isInShare;
  }

  #change(bytes: number): void {
    this.#bytes += bytes;
    for (const { held } of this.#counts) held[this.#findCaller ? 'strangers' : 'known'] += bytes;
  }
}
