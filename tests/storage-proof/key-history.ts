// What may be under each key after requests of which some were answered, some were not, and some overlapped.
import { Clock } from '../soak/history.js';

/** What a request makes of a key: a content by its number, nothing, or a content that nobody has been told. */
export type Effect = number | 'nothing' | 'unknown';

interface Change {
  readonly begin: number;
  /** Infinite for what was sent and not answered. */
  end: number;
  effect: Effect;
  isAnswered: boolean;
}

export class KeyHistory {
  private readonly clock = new Clock();
  private readonly changes = new Map<string, Change[]>();

  /** A change whose request is sent now. */
  begin(key: string, effect: Effect) {
    const changes = this.changes.get(key) ?? [];
    this.changes.set(key, changes);
    const change: Change = { begin: this.clock.tick(), end: Infinity, effect, isAnswered: false };
    changes.push(change);
    return {
      /** It was answered with success; `known` is what the answer tells of the content. */
      done: (known: Effect = effect): void => {
        Object.assign(change, { effect: known, end: this.clock.tick(), isAnswered: true });
      },
      /** It was refused, or never sent. */
      refused: (): void => {
        changes.splice(changes.indexOf(change), 1);
      },
    };
  }

  /** The process was killed, and what it has left is final: unanswered changes have happened by now, or never. */
  settle(): void {
    const now = this.clock.tick();
    for (const change of [...this.changes.values()].flat()) change.end = Math.min(change.end, now);
  }

  /** The keys that were ever meant to be changed. */
  keys(): readonly string[] {
    return [...this.changes.keys()];
  }

  /** What there may be: the effect of every change that no answered change came wholly after. */
  possible(key: string): readonly Effect[] {
    const changes = this.changes.get(key) ?? [];
    const lastBegin = Math.max(
      0,
      ...changes.filter(({ isAnswered }) => isAnswered).map(({ begin }) => begin),
    );
    const last = changes.filter(({ end }) => end >= lastBegin).map(({ effect }) => effect);
    const isCertain = changes.some(({ isAnswered }) => isAnswered);
    return isCertain ? last : ['nothing', ...last];
  }
}
