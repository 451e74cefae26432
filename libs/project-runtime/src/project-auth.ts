// The accounts of an open project: the auth engine, which is built from the settings and replaced when they change, and
// the state that outlives each engine, such as the counters of the rate limiter.
import {
  applySessionPolicy,
  type AuthInstance,
  buildAuth,
  createKeyUses,
  createSessionUses,
  type KeyUses,
  type SessionUses,
  verifySignedToken,
} from '#libs/auth-engine';
import type { ProjectDatabase } from '#libs/database';
import { createMemoryLimiter } from '#libs/rate-limit';
import { deriveKey } from '#libs/secrets';
import type { RateLimiter } from '#libs/wire';

import type { MessageOutbox } from './message-work/message-outbox.js';
import type { ProjectEvents } from './project-events.js';
import type { BuiltPart, ProjectState } from './project-state.js';
import { type Candidate, type Lease, Replaceable } from './replaceable.js';
import type { RuntimeDeps } from './runtime-deps.js';
import type { Traffic } from './traffic.js';
import { deleteProjectUser, type ToldDeletion } from './user-deletion.js';

interface Parts {
  readonly db: ProjectDatabase;
  readonly deps: RuntimeDeps;
  readonly current: () => ProjectState;
  readonly events: ProjectEvents;
  readonly outbox: MessageOutbox;
  readonly traffic: Traffic;
  /** Called after accounts or sessions may have changed. */
  readonly onWrite: () => Promise<void>;
}

export class ProjectAuth implements BuiltPart {
  readonly kind = 'auth';
  /** Counts the remaining uses of API keys. */
  readonly keyUses: KeyUses;
  /** Renews the sessions that requests use. */
  readonly sessionUses: SessionUses;
  private readonly engine: Replaceable<AuthInstance>;
  private readonly secret: string;
  /** Outlives the engines, so that a save of settings resets no counter. */
  private readonly rateLimiter: RateLimiter;

  constructor(private readonly parts: Parts) {
    const { db, deps, current } = parts;
    const { record } = current();
    this.secret = deriveKey(record.dataKey, 'auth secret').toString('base64url');
    this.rateLimiter =
      deps.rateLimiterFor?.(record, db.enginePool) ?? createMemoryLimiter(deps.now);
    this.keyUses = createKeyUses({ pool: db.enginePool, now: deps.now });
    this.sessionUses = createSessionUses({
      pool: db.enginePool,
      settings: () => current().settings.get('auth.sessions'),
      now: () => performance.now(),
      onError: (error) => deps.onError(error, 'keep a session alive'),
    });
    this.engine = new Replaceable<AuthInstance>({
      build: () => this.build(current()),
      // The engine owns no resources: dropping it suffices.
      close: () => undefined,
      name: `the auth engine of ${record.ref}`,
      onError: deps.onError,
    });
  }

  get isBuilt(): boolean {
    return this.engine.isBuilt;
  }

  get isStale(): boolean {
    return this.engine.isStale;
  }

  /** Returns a lease on the current auth engine; it stays valid if settings are saved meanwhile. */
  acquire(): Promise<Lease<AuthInstance>> {
    return this.engine.acquire();
  }

  /** Returns the session token in a signed value of this project, or undefined. */
  verifySignedToken(value: string): string | undefined {
    return verifySignedToken(this.secret, value);
  }

  /** Deletes a user: {@link deleteProjectUser}. */
  async deleteUser(deletion: ToldDeletion): Promise<boolean> {
    const { db, events, onWrite } = this.parts;
    const isDeleted = await deleteProjectUser(db, events.caller, deletion);
    events.deliverSoon();
    await onWrite();
    return isDeleted;
  }

  /** Shortens existing sessions to the current settings. Returns at once. */
  shortenSessions(): void {
    const { db, deps, current, onWrite } = this.parts;
    const shortening = applySessionPolicy(db.enginePool, current().settings.get('auth.sessions'));
    shortening
      .then(onWrite)
      .catch((error: unknown) => deps.onError(error, 'apply the rules of sessions'));
  }

  prepare(state: ProjectState): Promise<Candidate> {
    return this.engine.prepare(() => this.build(state));
  }

  rebuildSoon(): void {
    this.engine.rebuildSoon();
  }

  /** Waits for work that requests have left; running requests keep the engine that they hold. */
  async close(): Promise<void> {
    this.engine.close();
    await this.sessionUses.close();
  }

  private build({ record, baseUrl, rules, settings }: ProjectState): Promise<AuthInstance> {
    const { db, deps, events, outbox, traffic, onWrite } = this.parts;
    const { ref, idType } = record;
    return buildAuth({
      settings: settings.values,
      ref,
      messages: outbox.forEngine(settings.values),
      call: deps.outbound,
      hooks: events.hooksUnder(settings.values),
      secret: this.secret,
      baseUrl: baseUrl.origin,
      trustedOrigins: rules.trustedOrigins,
      pool: db.enginePool,
      idType,
      rateLimiter: this.rateLimiter,
      deleteUser: (deletion) => this.deleteUser(deletion),
      onSession: () => traffic.countSignIn(),
      onWrite,
      log: ({ level, message, requestId, cause }) =>
        deps.onError(cause ?? message, `auth engine of ${ref}`, level, requestId),
    });
  }
}
