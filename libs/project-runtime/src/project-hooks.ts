// Builds the hooks of a project (settings group auth.hooks) with their dependencies: outbound requests, the project's
// own database and edge functions, and the log of deliveries.
import type { EnginePool } from '#libs/auth-engine';
import type { ProjectDatabase } from '#libs/database';
import {
  type CallEdgeFunction,
  createHooks,
  type HookCaller,
  type HookDelivery,
} from '#libs/hooks';
import { insertDelivery, type NewDelivery, type OutboxQueries } from '#libs/outbox';
import { type Outbound, signWebhook } from '#libs/outbound';
import type { Settings } from '#libs/settings';
import { quoteIdent } from '#libs/wire';

/** The maximum answer of a hook's server, plus some protocol overhead. */
const maxAnswerBytes = 66 * 1024;

export interface HooksDeps {
  readonly ref: string;
  readonly db: ProjectDatabase & { readonly enginePool: EnginePool };
  readonly outbound: Outbound;
  /** Absent where no edge functions run. */
  readonly callEdgeFunction?: CallEdgeFunction | undefined;
  readonly now: () => number;
  readonly onError: (error: unknown, doing: string) => void;
}

/** The dependencies of the hooks of `settings`; also used by the worker. */
export function hookCaller(
  { ref, db, outbound, callEdgeFunction, now, onError }: HooksDeps,
  settings: Settings,
): HookCaller {
  return {
    settings: settings['auth.hooks'],
    project: ref,
    outbound,
    sign: signWebhook,
    // It runs as the owner of the project: the owner's functions must not have the engine's rights.
    callFunction: async (name, event, { timeoutMs }) => {
      const call = `select ${name.split('.').map(quoteIdent).join('.')}($1::pg_catalog.jsonb) as answer`;
      const { rows } = await db.runScript(call, [JSON.stringify(event)], {
        timeoutMs,
        maxBytes: maxAnswerBytes,
      });
      return rows[0]?.['answer'];
    },
    callEdgeFunction,
    now,
    log: ({ message, cause }) => onError(cause ?? message, `hooks of ${ref}: ${message}`),
  };
}

/** Returns the hooks of `settings`. */
export function projectHooks(deps: HooksDeps, settings: Settings) {
  return createHooks({
    ...hookCaller(deps, settings),
    record: (delivery) => recordDelivery(deps.db, delivery),
  });
}

/** Stores a delivery of a hook. */
export function recordDelivery(db: OutboxQueries, delivery: HookDelivery): Promise<void> {
  return insertDelivery(db, ofHook(delivery));
}

/** A delivery of a hook as a row of the outbox. */
export function ofHook({ hook, ...delivery }: HookDelivery): NewDelivery {
  return { ...delivery, kind: 'hook', source: hook };
}
