// Everything that belongs to one open project. The registry opens it, and closes it after it has drained. The variable
// part is its state; the verbs that change settings are save-settings.ts and reload-settings.ts.
import { isDeepStrictEqual } from 'node:util';

import { openProjectDatabase, type ProjectDatabase, type ProjectRecord } from '#libs/database';
import { AppError } from '#libs/errors';
import type { CallEdgeFunction } from '#libs/hooks';
import type { Usage } from '#libs/wire';

import { ProjectDeliveries } from './deliveries/project-deliveries.js';
import { type TriggerSeal, triggerSeal } from './deliveries/trigger-seal.js';
import { webhookSeal } from './deliveries/webhook-seal.js';
import { type CallFunction, platformCalls } from './functions/call-function.js';
import { ProjectEdgeFunctions } from './functions/project-edge-functions.js';
import type { HttpRules } from './http-rules.js';
import { MessageOutbox } from './message-work/message-outbox.js';
import { messageSeal } from './message-work/message-seal.js';
import { type OpeningRow, readOpeningRow } from './opening.sql.js';
import { ProjectAuth } from './project-auth.js';
import { ProjectCatalog } from './project-catalog.js';
import { ProjectEvents } from './project-events.js';
import { ProjectFiles } from './project-files.js';
import { ProjectMessages } from './project-messages.js';
import type { FirstUse } from './project-registry.js';
import { ProjectSettings } from './project-settings.js';
import { type BuiltPart, buildState, type ProjectState } from './project-state.js';
import type { Candidate } from './replaceable.js';
import { processClock, ProjectRealtime } from './realtime/project-realtime.js';
import { RecentRequests } from './recent-requests.js';
import type { RequestGuards } from './request-guards.js';
import { RunningScripts } from './running-scripts.js';
import type { RuntimeDeps, WriteSignals } from './runtime-deps.js';
import { settingsSeal } from './settings-seal.js';
import { catalogForm, StoredCatalog } from './stored-catalog.js';
import { Traffic } from './traffic.js';
import { Turns } from './turns.js';

export class ProjectRuntime {
  readonly traffic = new Traffic();
  readonly recentRequests = new RecentRequests();
  /** What long bodies of its requests hold; the readers of bodies count them. */
  readonly heldBodies = { known: 0, strangers: 0 };
  /** When its size was measured last, in milliseconds since 1970; set by the writer of usage. */
  measuredAt = 0;
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
  /** Edge functions and their journal. */
  readonly functions: ProjectEdgeFunctions;
  /** What waits for its receivers. */
  readonly deliveries: ProjectDeliveries;
  readonly triggerSeal: TriggerSeal;
  /** Calls an edge function from a hook. */
  readonly callEdgeFunction: CallEdgeFunction = (slug, { id, ...call }) =>
    this.callFunction(slug, { ...call, via: 'hook', deliveryId: id });
  /** Calls of functions by the platform. */
  private readonly callFunction: CallFunction;
  /**
   * Runs changes of settings one after the other, so that each is based on the stored result of the one before and no
   * reload overtakes it.
   */
  readonly settingsTurns = new Turns();
  /** Scripts of the SQL editor that run in this process. */
  readonly scripts = new RunningScripts();
  /** Channels; opened by the first socket. */
  private channels: ProjectRealtime | undefined;
  private readonly writeSignals: WriteSignals;
  /** Secrets of the settings that were logged as unreadable. */
  private readonly reportedSecrets = new Set<string>();
  /** Whether the settings are kept for processes that open the project for a request on rows. */
  private isKept = false;

  private constructor(
    readonly db: ProjectDatabase,
    readonly deps: RuntimeDeps,
    private state: ProjectState,
    opening: OpeningRow | undefined,
  ) {
    const { ref, dataKey } = state.record;
    const { onError } = deps;
    const current = () => this.state;
    this.writeSignals = deps.writeSignalsFor(ref);
    this.catalog = new ProjectCatalog({
      db,
      stored: new StoredCatalog(db, state.record, opening?.catalog),
      onKeepError: (error) => onError(error, `keep the catalog of ${ref}`),
      onRead: () => {
        if (!this.isKept) this.keepSettings();
      },
    });
    const onWrite = () => this.accountsWritten();
    const deliverSoon = () => this.deliveries.schedule();
    const { callEdgeFunction } = this;
    this.events = new ProjectEvents(
      db,
      { ...deps, callEdgeFunction },
      current,
      onWrite,
      deliverSoon,
    );
    this.messages = new ProjectMessages({
      project: () => ({ name: current().record.name, baseUrl: current().baseUrl }),
      db,
      settings: () => current().settings.values,
      outbound: deps.outbound,
      resolveMailHost: (host, port) => deps.mailHostsOf(current().record)(host, port),
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
    const { events, outbox, traffic } = this;
    this.auth = new ProjectAuth({ db, deps, current, events, outbox, traffic, onWrite });
    this.files = new ProjectFiles(db, deps, current, deliverSoon);
    this.functions = new ProjectEdgeFunctions({
      ref,
      dataKey,
      db,
      host: deps.functionsHost,
      url: () => this.baseUrl,
      serveLocally: deps.serveLocally,
      settings: () => current().settings.values,
      onError,
    });
    this.callFunction = platformCalls(this.functions, {
      url: () => this.baseUrl,
      now: deps.now,
    });
    this.triggerSeal = triggerSeal(ref, dataKey);
    this.deliveries = new ProjectDeliveries({
      ref,
      db,
      caller: () => this.events.caller,
      callFunction: this.callFunction,
      canRunFunctions: deps.functionsHost.unavailable === undefined,
      outbound: deps.outbound,
      seal: this.triggerSeal,
      webhookSeal: webhookSeal(ref, dataKey),
      noteDeliveries: deps.noteDeliveries,
      now: deps.now,
      onError,
    });
    this.reportUnopened();
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
      const source = {
        db,
        env: deps.envOf(record),
        seal: settingsSeal(record.ref, record.dataKey),
      };
      // The connection for the rows then has everything that they need.
      const opening = use === 'rows' ? await readOpeningRow(db, catalogForm) : undefined;
      const kept = opening && ProjectSettings.ofSealed(source, opening);
      const settings = kept ?? (await ProjectSettings.load(source));
      const project = new ProjectRuntime(db, deps, buildState({ record, settings }, deps), opening);
      project.isKept = kept !== undefined;
      return project;
    } catch (error) {
      await db.close();
      throw error;
    }
  }

  /** The channels of the project in this process. */
  get realtime(): ProjectRealtime {
    const { db, catalog, deps } = this;
    this.channels ??= new ProjectRealtime({
      db,
      catalog,
      clock: processClock,
      exchange: deps.exchangeFor(this.record.ref),
      writeSignals: this.writeSignals,
      pace: deps.changePace,
      polling: deps.pollingFeeds,
      replayPlaces: deps.replayPlaces,
      settings: () => this.settings.values,
      now: deps.now,
      onError: deps.onError,
      keys: () => this.record.keys,
      areKeysEnforced: () => this.rules.areKeysEnforced,
    });
    return this.channels;
  }

  /** The same, if there has been a socket. */
  get openRealtime(): ProjectRealtime | undefined {
    return this.channels;
  }

  /** Channels look for changes at once, here and in other processes: a request of this process has committed. */
  rowsWritten(): void {
    this.channels?.wake();
    this.writeSignals.send();
    this.deliveries.rowsWritten();
  }

  /**
   * The same after a change of accounts or sessions, which decide on the rights of sockets. Resolves when it holds for
   * those of this process, or after a second, so that nothing which follows the acknowledgement reaches them.
   */
  async accountsWritten(): Promise<void> {
    this.rowsWritten();
    await this.channels?.hub.settle('accounts');
  }

  /** The same after SQL, which may have changed tables, policies and grants: the channels of this process are reviewed. */
  async sqlWritten(): Promise<void> {
    this.rowsWritten();
    await this.channels?.hub.settle('schema');
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
      this.reportUnopened();
      for (const part of built) part.swap();
      // A part that was first used during the building has the old settings,
      for (const part of unused) part.rebuildSoon();
      // and an engine that was built for a record which was replaced since has the old record.
      if (!isOfRecord) this.auth.rebuildSoon();
    };
    return { swap, discard };
  }

  /**
   * Puts a newer record into effect: its keys and domains apply from the next request on, and its mail server from the
   * next mail on. Returns false if the project must be opened again: its database is reached in another way, such as with
   * a new password of the owner.
   */
  updateRecord(record: ProjectRecord): boolean {
    if (record.ref !== this.record.ref) throw new Error('a project keeps its ref for life');
    if (!isDeepStrictEqual(record.database, this.record.database)) return false;
    const { keys, sharedMailServer } = this.record;
    this.state = this.stateOf(record, this.settings);
    // Its connections may lead to a server that the project may not use now.
    if (record.sharedMailServer !== sharedMailServer) this.messages.close();
    this.auth.rebuildSoon();
    if (!isDeepStrictEqual(keys, record.keys)) this.channels?.keysChanged();
    return true;
  }

  /** Begins to keep the settings for processes that open the project for a request on rows. */
  keepSettings(): void {
    this.isKept = true;
    this.settings.keep().catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'SHUTTING_DOWN') return;
      this.deps.onError(error, `keep the settings of ${this.record.ref}`, 'warn');
    });
  }

  /** What clients have used since the last call, which may be nothing; undefined if nothing was requested. */
  takeUsage(): Usage | undefined {
    return this.traffic.takeUsage(this.db.stats().open);
  }

  disconnect(): void {
    this.channels?.close().catch((error: unknown) => {
      this.deps.onError(error, `close the channels of ${this.record.ref}`);
    });
  }

  async close(): Promise<void> {
    await this.channels?.close();
    // What is being delivered may call functions.
    await this.deliveries.close();
    await this.functions.close();
    this.outbox.close();
    this.messages.close();
    await Promise.all([this.auth.close(), this.files.close()]);
    const usage = this.takeUsage();
    if (usage) this.deps.keepUsage(this.record.ref, usage);
    await this.db.close();
  }

  /** Logs the secrets of the settings that cannot be opened, each once. */
  private reportUnopened(): void {
    const { ref } = this.record;
    for (const { group, field } of this.settings.unopened) {
      const place = `${field} of the settings group ${group}`;
      if (this.reportedSecrets.has(place)) continue;
      this.reportedSecrets.add(place);
      const error = new Error(
        `The stored secret ${place} of the project ${ref} cannot be opened and counts as not set; save it again`,
      );
      this.deps.onError(error, `open the settings of ${ref}`);
    }
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
