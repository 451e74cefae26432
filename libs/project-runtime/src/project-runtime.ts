// Everything that belongs to one open project. The registry opens it, and closes it after it has drained. The variable
// part is its state; the verbs that change settings are save-settings.ts and reload-settings.ts.
import { openProjectDatabase, type ProjectDatabase, type ProjectRecord } from '#libs/database';

import type { HttpRules } from './http-rules.js';
import { MessageOutbox } from './message-work/message-outbox.js';
import { messageSeal } from './message-work/message-seal.js';
import { ProjectAuth } from './project-auth.js';
import { ProjectCatalog } from './project-catalog.js';
import { ProjectEvents } from './project-events.js';
import { ProjectFiles } from './project-files.js';
import { ProjectMessages } from './project-messages.js';
import type { FirstUse } from './project-registry.js';
import { ProjectSettings } from './project-settings.js';
import { type BuiltPart, buildState, type ProjectState } from './project-state.js';
import type { Candidate } from './replaceable.js';
import type { RequestGuards } from './request-guards.js';
import type { RuntimeDeps } from './runtime-deps.js';
import { settingsSeal } from './settings-seal.js';
import { StoredCatalog } from './stored-catalog.js';
import { Traffic } from './traffic.js';
import { Turns } from './turns.js';

export class ProjectRuntime {
  readonly traffic = new Traffic();
  readonly catalog: ProjectCatalog;
  /** The hooks of the project, and changes that report events to them. */
  readonly events: ProjectEvents;
  /** Mails and SMS to the users of the project. */
  readonly messages: ProjectMessages;
  /** Messages that wait to be sent. */
  readonly outbox: MessageOutbox;
  /** Accounts and sessions. */
  readonly auth: ProjectAuth;
  /** Bytes of files, images made of them, and the work on them. */
  readonly files: ProjectFiles;
  /**
   * Runs changes of settings one after the other, so that each is based on the stored result of the one before and no
   * reload overtakes it.
   */
  readonly settingsTurns = new Turns();

  private constructor(
    readonly db: ProjectDatabase,
    readonly deps: RuntimeDeps,
    private state: ProjectState,
  ) {
    const { ref, dataKey } = state.record;
    const { onError } = deps;
    const current = () => this.state;
    this.catalog = new ProjectCatalog({
      db,
      stored: new StoredCatalog(db, state.record),
      onKeepError: (error) => onError(error, `keep the catalog of ${ref}`),
    });
    this.events = new ProjectEvents(db, deps, current);
    this.messages = new ProjectMessages({
      project: () => ({ name: current().record.name, baseUrl: current().baseUrl }),
      db,
      settings: () => current().settings.values,
      outbound: deps.outbound,
      resolveMailHost: deps.resolveMailHost,
      hasInbox: deps.hasInbox,
      sendByHook: (message) => this.events.hooksUnder(current().settings.values).send(message),
      now: deps.now,
    });
    this.outbox = new MessageOutbox({
      ref,
      db,
      seal: messageSeal(ref, dataKey),
      waiting: deps.waitingMessages,
      canMail: () => this.messages.transport !== undefined,
      onError,
    });
    this.auth = new ProjectAuth({ db, deps, current, events: this.events, outbox: this.outbox });
    this.files = new ProjectFiles(db, deps, current);
  }

  /** Opens the project: migrates its database to this release and reads its settings. */
  static async open(
    record: ProjectRecord,
    deps: RuntimeDeps,
    use: FirstUse = 'other',
  ): Promise<ProjectRuntime> {
    await deps.ensureMigrated(record);
    const db = openDatabase(record, deps);
    try {
      const seal = settingsSeal(record.ref, record.dataKey);
      const loading = ProjectSettings.load({ db, env: deps.env, seal });
      // Opened after the connection for the settings, which must not lose its place to it.
      if (use === 'rows') db.openForTables();
      const settings = await loading;
      return new ProjectRuntime(db, deps, buildState({ record, settings }, deps));
    } catch (error) {
      await db.close();
      throw error;
    }
  }

  get record(): ProjectRecord {
    return this.state.record;
  }

  get baseUrl(): URL {
    return this.state.baseUrl;
  }

  get settings(): ProjectSettings {
    return this.state.settings;
  }

  get rules(): HttpRules {
    return this.state.rules;
  }

  get guards(): RequestGuards {
    return this.state.guards;
  }

  /** The parts that are built from the state. */
  get parts(): readonly BuiltPart[] {
    return [this.auth, this.files];
  }

  /**
   * Builds the state of `settings`, and `parts` from it. Nothing takes effect before the swap, which is immediate. If a
   * part cannot be built, everything stays as it is.
   */
  async prepare(settings: ProjectSettings, parts: readonly BuiltPart[]): Promise<Candidate> {
    const next = this.stateOf(this.record, settings);
    const unused = this.parts.filter((part) => !part.isBuilt && !parts.includes(part));
    const built: Candidate[] = [];
    const discard = async () => void (await Promise.all(built.map((part) => part.discard())));
    try {
      // In order: if one is refused, the others need not be built.
      for (const part of parts) built.push(await part.prepare(next));
    } catch (error) {
      await discard();
      throw error;
    }
    const swap = () => {
      const isOfRecord = next.record === this.record;
      this.state = isOfRecord ? next : this.stateOf(this.record, settings);
      for (const part of built) part.swap();
      // A part that was first used during the building has the old settings,
      for (const part of unused) part.rebuildSoon();
      // and an engine that was built for a record which was replaced since has the old record.
      if (!isOfRecord) this.auth.rebuildSoon();
    };
    return { swap, discard };
  }

  /** Puts a newer record into effect: its keys and domains apply from the next request on. */
  updateRecord(record: ProjectRecord): void {
    if (record.ref !== this.record.ref) throw new Error('a project keeps its ref for life');
    this.state = this.stateOf(record, this.settings);
    this.auth.rebuildSoon();
  }

  async close(): Promise<void> {
    this.outbox.close();
    this.messages.close();
    await Promise.all([this.auth.close(), this.events.close(), this.files.close()]);
    await this.db.close();
  }

  private stateOf(record: ProjectRecord, settings: ProjectSettings): ProjectState {
    return buildState({ record, settings }, this.deps, this.state);
  }
}

function openDatabase(record: ProjectRecord, deps: RuntimeDeps): ProjectDatabase {
  const { host, port, name, ssl, logins } = record.database;
  return openProjectDatabase({
    ref: record.ref,
    host,
    port,
    database: name,
    ssl,
    logins,
    idType: record.idType,
    budget: deps.budget,
    replies: deps.replies,
  });
}
