import type { EnginePool } from '../../engine-pool.js';
import { sessionLifetime, touchSession, type SessionSettings } from './lifetime.js';

const maxRemembered = 10_000;
/**
 * Statements at once. After a start every session is due: one statement for each would take all connections of the
 * project, and the places in front of them, from its requests.
 */
const maxAtOnce = 2;
/** A session is looked up at most this often, unless its inactivity must be known earlier. */
const minPauseMs = 1000;

/** Keeps the sessions alive that requests outside the auth engine use. */
export interface SessionUses {
  /**
   * Notes that a request with this session's token was served. Takes no time: what is due happens in the
   * background, and a failure is handed to `onError`.
   */
  note(token: string): void;
  /** Resolves when nothing happens in the background any more. */
  settled(): Promise<void>;
  /** Gives up what has not begun, and resolves when nothing happens any more. */
  close(): Promise<void>;
}

export interface SessionUsesOptions {
  readonly pool: EnginePool;
  /** The current settings, the same object as long as they are the same. */
  readonly settings: () => SessionSettings;
  /** Milliseconds, of any clock that does not go back. */
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** Touches sessions in the database of `pool`, each when it is due. */
export function createSessionUses({
  pool,
  settings,
  now,
  onError,
}: SessionUsesOptions): SessionUses {
  /** When a session is due next, the one that was asked about first in front. */
  const dueAt = new Map<string, number>();
  /** Tokens whose turn has not come; fewer than `dueAt` has. */
  const waiting = new Set<string>();
  const running = new Set<Promise<void>>();
  let working = 0;
  let known = settings();

  async function touch(token: string, under: SessionSettings): Promise<void> {
    const lifetime = sessionLifetime(under);
    try {
      const touched = await touchSession(pool, lifetime, token);
      const pauseMs = Math.max(1000 * (touched?.dueInSeconds ?? 0), pauseOf(under));
      if (dueAt.has(token) && known === under) dueAt.set(token, now() + pauseMs);
    } catch (error) {
      onError(error);
    }
  }

  async function touchWaiting(): Promise<void> {
    working++;
    // One after the other is what bounds the connections.
    for (const token of waiting) {
      waiting.delete(token);
      await touch(token, known);
    }
    working--;
  }

  return {
    note(token) {
      const current = settings();
      if (current !== known) {
        known = current;
        dueAt.clear();
        waiting.clear();
      }
      const due = dueAt.get(token);
      if (due !== undefined && due > now()) return;
      dueAt.delete(token);
      const [oldest] = dueAt.keys();
      if (oldest !== undefined && dueAt.size >= maxRemembered) {
        dueAt.delete(oldest);
        waiting.delete(oldest);
      }
      // Requests that come while this one waits or is in flight leave it alone.
      dueAt.set(token, now() + pauseOf(current));
      waiting.add(token);
      if (working === maxAtOnce) return;
      const run = touchWaiting().finally(() => running.delete(run));
      running.add(run);
    },
    settled: async () => void (await Promise.all(running)),
    async close() {
      waiting.clear();
      await Promise.all(running);
    },
  };
}

function pauseOf({ inactivityTimeout }: SessionSettings): number {
  return inactivityTimeout > 0 ? Math.min(minPauseMs, inactivityTimeout * 100) : minPauseMs;
}
