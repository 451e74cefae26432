// Everything that belongs to one project while it is served: database, settings, catalog, auth engine and
// figures. Opened by the registry, closed when it drains.
import {
  type AuthInstance,
  buildAuth,
  createRateLimiter,
  type RateLimiter,
  verifySignedToken,
} from '#libs/auth-engine';
import { type ConnectionBudget, openProjectDatabase, type ProjectDatabase } from '#libs/database';
import { deriveKey } from '#libs/secrets';
import type { Environment, Rebuild, Settings } from '#libs/settings';

import { type HttpRules, httpRules } from './http-rules.js';
import { ProjectCatalog } from './project-catalog.js';
import type { ProjectRecord } from './project-record.js';
import { ProjectSettings } from './project-settings.js';
import { settingsSeal } from './settings-seal.js';
import { type Candidate, Slot } from './slot.js';
import { Traffic } from './traffic.js';

/** What all runtimes of a process share. */
export interface RuntimeDeps {
  readonly budget: ConnectionBudget;
  /** Fallbacks of the settings. */
  readonly env: Environment;
  /** The address at which users reach the project. */
  readonly urlOf: (record: ProjectRecord) => URL;
  /** Brings the project's database to this release. */
  readonly ensureMigrated: (record: ProjectRecord) => Promise<void>;
  /** Tells the other processes that the settings have a new version. */
  readonly publishSettings: (ref: string, version: string) => Promise<void>;
  readonly now: () => number;
  readonly onError: (error: unknown, doing: string) => void;
}

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
  private readonly deps: RuntimeDeps;
  private readonly authSlot: Slot<AuthInstance>;
  private readonly authSecret: string;
  /** Outlives the engines: saving settings forgives nobody. */
  private readonly rateLimiter: RateLimiter;
  private currentRecord: ProjectRecord;
  private rules: HttpRules;

  private constructor({ record, deps, db, settings }: Parts) {
    this.deps = deps;
    this.db = db;
    this.settings = settings;
    this.currentRecord = record;
    this.authSecret = deriveKey(record.dataKey, 'auth secret').toString('base64url');
    this.rateLimiter = createRateLimiter({ now: deps.now });
    this.catalog = new ProjectCatalog(db);
    this.rules = httpRules(settings.values, this.baseUrl, record.domains);
    this.authSlot = new Slot<AuthInstance>({
      build: () => this.buildAuth(this.settings.values),
      // The engine owns nothing: dropping it is enough.
      close: () => undefined,
      onCloseError: (error) => deps.onError(error, 'close an auth engine'),
    });
  }

  /** Opens the project: its database is brought to this release, its settings are read. */
  static async open(record: ProjectRecord, deps: RuntimeDeps): Promise<ProjectRuntime> {
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
    });
    // The settings call the runtime on a save, which is later than its construction below.
    let runtime: ProjectRuntime;
    try {
      const settings = await ProjectSettings.load({
        db,
        env: deps.env,
        seal: settingsSeal(record.ref, record.dataKey),
        prepare: (rebuilds, values) => runtime.prepare(rebuilds, values),
        remake: () => runtime.remake(),
        publish: (version) => deps.publishSettings(record.ref, version),
      });
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

  /** The address at which users reach the project. */
  get baseUrl(): URL {
    return this.deps.urlOf(this.currentRecord);
  }

  /** A lease on the auth engine under the settings of now; whoever holds it keeps it over a save. */
  acquireAuth(): Promise<{ readonly value: AuthInstance; release(): void }> {
    return this.authSlot.acquire();
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
    await this.db.close();
  }

  private async prepare(rebuilds: readonly Rebuild[], values: Settings): Promise<Candidate> {
    const record = this.currentRecord;
    const auth = rebuilds.includes('auth')
      ? await this.authSlot.prepare(() => this.buildAuth(values))
      : undefined;
    return {
      swap: () => {
        this.refreshRules(values);
        auth?.swap();
        // A record that came while the engine was built is not in it yet.
        if (auth && record !== this.currentRecord) this.rebuildAuth();
      },
      discard: async () => auth?.discard(),
    };
  }

  private async remake(): Promise<void> {
    this.refreshRules(this.settings.values);
    await this.authSlot.rebuild();
  }

  private rebuildAuth(): void {
    this.authSlot.rebuild().catch((error: unknown) => {
      this.deps.onError(error, `rebuild the auth engine of ${this.currentRecord.ref}`);
    });
  }

  private refreshRules(values: Settings): void {
    this.rules = httpRules(values, this.baseUrl, this.currentRecord.domains);
  }

  private buildAuth(settings: Settings): Promise<AuthInstance> {
    const { ref, idType, domains } = this.currentRecord;
    const { baseUrl } = this;
    return buildAuth({
      settings,
      secret: this.authSecret,
      baseUrl: baseUrl.origin,
      trustedOrigins: httpRules(settings, baseUrl, domains).trustedOrigins,
      pool: this.db.enginePool,
      idType,
      rateLimiter: this.rateLimiter,
      log: ({ message, cause }) => this.deps.onError(cause ?? message, `auth engine of ${ref}`),
    });
  }
}
