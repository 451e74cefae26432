// Batches of messages that wait for their turn at a rate that senders share. Single messages of a busy sender would take
// each token that comes back, and a batch would find too few of them for ever.

/** How long a turn is kept beyond the time after which its batch can be sent: clients wait whole seconds; milliseconds. */
const keptMs = 2_000;
/** Batches that wait at a time. Others are not refused, but have no turn. */
const maxTurns = 100;

interface Turn {
  readonly tokens: number;
  readonly untilMs: number;
}

/** A wait of so many milliseconds that begins now. */
interface Wait {
  readonly now: number;
  readonly waitMs: number;
}

export class BatchTurns {
  /** By sender, in their order. */
  readonly #turns = new Map<string, Turn>();

  /** The tokens of the first batch that waits; undefined if none waits, or that of the sender itself is the first. */
  tokensBefore(sender: string): number | undefined {
    for (const [name, { tokens }] of this.#turns) return name === sender ? undefined : tokens;
    return undefined;
  }

  endExpired(now: number): void {
    for (const [name, { untilMs }] of this.#turns) if (untilMs < now) this.#turns.delete(name);
  }

  /** Keeps the turn of a batch that can be sent after `waitMs`; a later batch of the sender has the turn of the first. */
  keep(sender: string, tokens: number, { now, waitMs }: Wait): void {
    if (this.#turns.size >= maxTurns && !this.#turns.has(sender)) return;
    this.#turns.set(sender, { tokens, untilMs: now + waitMs + keptMs });
  }

  end(sender: string): void {
    this.#turns.delete(sender);
  }
}
