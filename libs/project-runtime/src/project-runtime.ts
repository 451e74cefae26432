// Everything that belongs to one project while it is served: database, settings, catalog, auth engine, files
// and figures. Opened by the registry, closed when it drains.
import {
  applySessionPolicy,
  type AuthInstance,
  buildAuth,
  createKeyUses,
  createSessionUses,
  type HookCaller,
  type KeyUses,
  type RateLimiter,
  type SessionUses,
  verifySignedToken,
} from '#libs/auth-engine';
import { openProjectDatabase, type ProjectDatabase } from '#libs/database';
import type { Outbound } from '#libs/outbound';
import { createMemoryLimiter } from '#libs/rate-limit';
import { deriveKey } from '#libs/secrets';
import type { Rebuild, Settings } from '#libs/settings';

import { EventDelivery } from './event-delivery.js';
import { type AnnouncedWork, runAnnounced } from './announced-change.js';
import { type HttpRules, httpRules } from './http-rules.js';
import { MessageOutbox } from './message-work/message-outbox.js';
import { messageSeal } from './message-work/message-seal.js';
import { ProjectCatalog } from './project-catalog.js';
import { ProjectFiles } from './project-files.js';
import { type HooksDeps, hookCaller, projectHooks } from './project-hooks.js';
import { ProjectMessages } from './project-messages.js';
import type { FirstUse } from './project-registry.js';
import type { ProjectRecord } from '#libs/database';
import { ProjectSettings } from './project-settings.js';
import { type RequestGuards, requestGuards } from './request-guards.js';
import type { RuntimeDeps } from './runtime-deps.js';
import { settingsSeal } from './settings-seal.js';
import { StoredCatalog } from './stored-catalog.js';
import { type Candidate, Slot } from './slot.js';
import { Traffic } from './traffic.js';
import { deleteProjectUser, type ToldDeletion } from './user-deletion.js';

interface Parts {
  readonly record: ProjectRecord;
  readonly deps: RuntimeDeps;
  readonly db: ProjectDatabase;
  readonly settings: ProjectSettings;
}

export class ProjectRuntime {
  readonly traffic = new Traffic();
  readonly db: ProjectDatabase;
  readonly settings: ProjectSettings;
  readonly catalog: ProjectCatalog;
  /** Mails and SMS to the users of the project. */
  readonly messages: ProjectMessages;
  /** Messages that wait to be sent. */
  readonly outbox: MessageOutbox;
  /** Counts what API keys may still do; outlives settings. */
  readonly keyUses: KeyUses;
  /** Keeps the sessions alive that requests use. */
  readonly sessionUses: SessionUses;
  /** Bytes of files, images made of them, and the work on them. */
  readonly files: ProjectFiles;
  private readonly deps: RuntimeDeps;
  private readonly events: EventDelivery;
  private readonly authSlot: Slot<AuthInstance>;
  private readonly authSecret: string;
  /** Outlives the engines: saving settings forgives nobody. */
  private readonly rateLimiter: RateLimiter;
  private currentRecord: ProjectRecord;
  private rules: HttpRules;
  private currentGuards: RequestGuards;

  private constructor({ record, deps, db, settings }: Parts) {
    this.deps = deps;
    this.db = db;
    this.settings = settings;
    this.currentRecord = record;
    this.authSecret = deriveKey(record.dataKey, 'auth secret').toString('base64url');
    this.rateLimiter =
      deps.rateLimiterFor?.(record, db.enginePool) ?? createMemoryLimiter({ now: deps.now });
    this.catalog = new ProjectCatalog({
      db,
      stored: new StoredCatalog(db, record),
      onKeepError: (error) => deps.onError(error, `keep the catalog of ${record.ref}`),
    });
    this.rules = httpRules(settings.values, this.baseUrl, record.domains);
    this.currentGuards = requestGuards(settings.values, deps);
    this.keyUses = createKeyUses({ pool: db.enginePool, now: deps.now });
    this.sessionUses = createSessionUses({
      pool: db.enginePool,
      settings: () => this.settings.get('auth.sessions'),
      now: () => performance.now(),
      onError: (error) => deps.onError(error, 'keep a session alive'),
    });
    this.messages = new ProjectMessages({
      project: () => ({ name: this.currentRecord.name, baseUrl: this.baseUrl }),
      db,
      settings: () => this.settings.values,
      outbound: deps.outbound,
      resolveMailHost: deps.resolveMailHost,
      hasInbox: deps.hasInbox,
      sendByHook: (message) => projectHooks(this.hooksDeps, this.settings.values).send(message),
      now: deps.now,
    });
    this.outbox = new MessageOutbox({
      ref: record.ref,
      db,
      seal: messageSeal(record.ref, record.dataKey),
      waiting: deps.waitingMessages,
      canMail: () => this.messages.transport !== undefined,
      onError: deps.onError,
    });
    this.events = new EventDelivery({
      pool: db.enginePool,
      caller: () => this.hooks,
      onError: deps.onError,
    });
    this.authSlot = new Slot<AuthInstance>({
      build: () => this.buildAuth(this.settings.values),
      // The engine owns nothing: dropping it is enough.
      close: () => undefined,
      onCloseError: (error) => deps.onError(error, 'close an auth engine'),
    });
    this.files = new ProjectFiles({
      db,
      deps,
      record: () => this.currentRecord,
      settings: () => this.settings.get('storage'),
    });
  }

  /** Opens the project: its database is brought to this release, its settings are read. */
  static async open(
    record: ProjectRecord,
    deps: RuntimeDeps,
    use: FirstUse = 'other',
  ): Promise<ProjectRuntime> {
    await deps.ensureMigrated(record);
    const db = openProjectDatabase({
      ref: record.ref,
      host: record.database.host,
      port: record.database.port,
      database: record.database.name,
      ssl: record.database.ssl,
      logins: record.database.logins,
      idType: record.idType,
      budget: deps.budget,
      replies: deps.replies,
    });
    // The settings call the runtime on a save, which is later than its construction below.
    let runtime: ProjectRuntime;
    try {
      const loading = ProjectSettings.load({
        db,
        env: deps.env,
        seal: settingsSeal(record.ref, record.dataKey),
        prepare: (rebuilds, values) => runtime.prepare(rebuilds, values),
        remake: () => runtime.remake(),
        publish: (version) => deps.publishSettings(record.ref, version),
      });
      // After the connection that the settings need: it must not lose its place to this one.
      if (use === 'rows') db.openForTables();
      const settings = await loading;
      runtime = new ProjectRuntime({ record, deps, db, settings });
      return runtime;
    } catch (error) {
      await db.close();
      throw error;
    }
  }

  get record(): ProjectRecord {
    return this.currentRecord;
  }

  /** How requests are admitted, under the settings of now. */
  get http(): HttpRules {
    return this.rules;
  }

  /** What requests must show beside their credential, under the settings of now. */
  get guards(): RequestGuards {
    return this.currentGuards;
  }

  /** What calling the hooks of the project takes, under the settings of now. */
  get hooks(): HookCaller {
    return hookCaller(this.hooksDeps, this.settings.values);
  }

  /** The address at which users reach the project. */
  get baseUrl(): URL {
    return this.deps.urlOf(this.currentRecord);
  }

  /** A lease on the auth engine under the settings of now; whoever holds it keeps it over a save. */
  acquireAuth(): Promise<{ readonly value: AuthInstance; release(): void }> {
    return this.authSlot.acquire();
  }

  /** Calls servers that an administrator of the project has named. */
  get outbound(): Outbound {
    return this.deps.outbound;
  }

  /**
   * Runs `work` in a transaction as the engine role. The events that it announces are stored with its
   * changes and told after the commit.
   */
  async runAnnounced<T>(work: AnnouncedWork<T>): Promise<T> {
    const value = await runAnnounced(this.db, this.hooks, work);
    this.events.nudge();
    return value;
  }

  /** Deletes a user: {@link deleteProjectUser}. */
  async deleteUser(deletion: ToldDeletion): Promise<boolean> {
    const isDeleted = await deleteProjectUser(this.db, this.hooks, deletion);
    this.events.nudge();
    return isDeleted;
  }

  /** The session token in a signed value of this project, or undefined. */
  verifySignedToken(value: string): string | undefined {
    return verifySignedToken(this.authSecret, value);
  }

  /** Takes over a newer record: keys and domains hold from the next request on. */
  updateRecord(record: ProjectRecord): void {
    if (record.ref !== this.currentRecord.ref) {
      throw new Error('a project keeps its ref for life');
    }
    this.currentRecord = record;
    this.refreshRules(this.settings.values);
    this.rebuildAuth();
  }

  async refresh(): Promise<void> {
    await this.settings.refresh();
  }

  async close(): Promise<void> {
    this.authSlot.close();
    this.outbox.close();
    this.messages.close();
    await Promise.all([this.events.close(), this.files.close(), this.sessionUses.settled()]);
    await this.db.close();
  }

  private async prepare(rebuilds: readonly Rebuild[], values: Settings): Promise<Candidate> {
    const record = this.currentRecord;
    const sessionsBefore = JSON.stringify(this.settings.get('auth.sessions'));
    const auth = rebuilds.includes('auth')
      ? await this.authSlot.prepare(() => this.buildAuth(values))
      : undefined;
    const storage = rebuilds.includes('storage')
      ? await this.files.prepare(values.storage)
      : undefined;
    return {
      swap: () => {
        this.refreshRules(values);
        auth?.swap();
        storage?.swap();
        if (JSON.stringify(values['auth.sessions']) !== sessionsBefore)
          this.shortenSessions(values);
        // A record that came while the engine was built is not in it yet.
        if (auth && record !== this.currentRecord) this.rebuildAuth();
      },
      discard: async () => void (await Promise.all([auth?.discard(), storage?.discard()])),
    };
  }

  private async remake(): Promise<void> {
    this.refreshRules(this.settings.values);
    await Promise.all([this.authSlot.rebuild(), this.files.rebuild()]);
  }

  /** Stricter rules hold for the sessions that are there, too. */
  private shortenSessions(values: Settings): void {
    const shortening = applySessionPolicy(this.db.enginePool, values['auth.sessions']);
    shortening.catch((error: unknown) => this.deps.onError(error, 'apply the rules of sessions'));
  }

  private rebuildAuth(): void {
    this.authSlot.rebuild().catch((error: unknown) => {
      this.deps.onError(error, `rebuild the auth engine of ${this.currentRecord.ref}`);
    });
  }

  private get hooksDeps(): HooksDeps {
    const { outbound, now, onError } = this.deps;
    return { ref: this.currentRecord.ref, db: this.db, outbound, now, onError };
  }

  private refreshRules(values: Settings): void {
    this.rules = httpRules(values, this.baseUrl, this.currentRecord.domains);
    this.currentGuards = requestGuards(values, this.deps, this.currentGuards);
  }

  private buildAuth(settings: Settings): Promise<AuthInstance> {
    const { ref, idType, domains } = this.currentRecord;
    const { baseUrl } = this;
    const hooks = projectHooks(this.hooksDeps, settings);
    return buildAuth({
      settings,
      ref,
      messages: this.outbox.forEngine(settings),
      call: this.deps.outbound,
      hooks: {
        ...hooks,
        emit: async (type, data) => {
          await hooks.emit(type, data);
          this.events.nudge();
        },
      },
      secret: this.authSecret,
      baseUrl: baseUrl.origin,
      trustedOrigins: httpRules(settings, baseUrl, domains).trustedOrigins,
      pool: this.db.enginePool,
      idType,
      rateLimiter: this.rateLimiter,
      deleteUser: (deletion) => this.deleteUser(deletion),
      log: ({ level, message, cause }) =>
        this.deps.onError(cause ?? message, `auth engine of ${ref}`, level),
    });
  }
}
