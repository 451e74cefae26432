// One attempt to deliver an event that waits in the outbox.
import { askHook } from './ask-hook.js';
import { targetOf } from './hidden-values.js';
import type { HookCaller, HookMessage } from './hook-types.js';

/** How an attempt ended. */
export interface EventOutcome {
  /** Undefined if it was delivered. */
  readonly error: string | undefined;
  readonly status: number | undefined;
  readonly durationMs: number;
  /** Where it went. */
  readonly target: string;
}

/** Delivers an event to where the hook leads now. Never rejects. */
export async function deliverEvent(
  caller: HookCaller,
  message: HookMessage,
): Promise<EventOutcome> {
  const outcome = await askHook(caller, 'events', message);
  return {
    error: outcome.kind === 'failed' ? outcome.error : undefined,
    status: outcome.status,
    durationMs: outcome.durationMs,
    target: targetOf(caller.settings.events),
  };
}
