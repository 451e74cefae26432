// The settings of one project: a snapshot in memory, the rows in its database. A save builds what depends on
// the new values first, commits second and swaps last, so that a stored row always has a working instance.
import type { ProjectDatabase } from '#libs/database';
import {
  applyWrite,
  type Environment,
  getGroup,
  type GroupName,
  type Rebuild,
  redact,
  resolveAll,
  type Settings,
  type SettingsOf,
} from '#libs/settings';

import { appendAudit, type AuditActor } from './audit.js';
import {
  deleteGroup,
  lockSettingsVersion,
  moveSettingsVersion,
  readSettings,
  upsertGroup,
} from './settings.sql.js';
import type { SettingsSeal } from './settings-seal.js';
import type { Candidate } from './replaceable.js';

type StoredGroups = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface SettingsDeps {
  readonly db: ProjectDatabase;
  readonly env: Environment;
  readonly seal: SettingsSeal;
  /** Builds what depends on `settings`; the result waits for the commit. */
  readonly prepare: (rebuilds: readonly Rebuild[], settings: Settings) => Promise<Candidate>;
  /** Remakes what depends on the settings after another process saved them. */
  readonly remake: () => Promise<void>;
  /** Tells the other processes. */
  readonly publish: (version: string) => Promise<void>;
}

interface Snapshot {
  readonly version: string;
  readonly stored: StoredGroups;
  readonly values: Settings;
}

/** A group as the admin API shows it. */
export type GroupView = Readonly<Record<string, unknown>>;

export class ProjectSettings {
  private turn: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly deps: SettingsDeps,
    private snapshot: Snapshot,
  ) {}

  /** Reads the stored groups. Throws DATABASE_UNAVAILABLE. */
  static async load(deps: SettingsDeps): Promise<ProjectSettings> {
    return new ProjectSettings(deps, await readSnapshot(deps));
  }

  /** The resolved values of a group. */
  get<N extends GroupName>(name: N): SettingsOf<N> {
    // `Settings` maps each name to its values; the compiler does not see it through the type parameter.
    return this.snapshot.values[name] as SettingsOf<N>;
  }

  get values(): Settings {
    return this.snapshot.values;
  }

  /** A group with its secrets hidden. Throws UNKNOWN_SETTINGS_GROUP. */
  view(name: string): GroupView {
    const group = getGroup(name);
    return redact(group, { stored: this.snapshot.stored[name], env: this.deps.env });
  }

  /**
   * Writes a group as a whole. Throws UNKNOWN_SETTINGS_GROUP, UNKNOWN_FIELD, INVALID_INPUT, and
   * SETTINGS_REFUSED when nothing can be built from the new values; then nothing is stored.
   */
  save(name: string, body: unknown, actor: AuditActor): Promise<GroupView> {
    const group = getGroup(name);
    return this.change(name, actor, (stored) =>
      applyWrite(group, { stored: stored[name], env: this.deps.env, body }),
    );
  }

  /** Takes the stored group away: its values come from the environment and the defaults again. */
  revert(name: string, actor: AuditActor): Promise<GroupView> {
    getGroup(name);
    return this.change(name, actor, () => undefined);
  }

  /** Reads the settings again when another process has saved them. */
  refresh(): Promise<void> {
    return this.inTurn(() => this.reread());
  }

  private async reread(): Promise<void> {
    const next = await readSnapshot(this.deps);
    if (next.version === this.snapshot.version) return;
    this.snapshot = next;
    await this.deps.remake();
  }

  private change(
    name: string,
    actor: AuditActor,
    next: (stored: StoredGroups) => Readonly<Record<string, unknown>> | undefined,
  ): Promise<GroupView> {
    return this.inTurn(() => this.commit(name, actor, next));
  }

  /** One after the other: a save is decided on what the one before has stored, and no reading is overtaken. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => undefined);
    return done;
  }

  private async commit(
    name: string,
    actor: AuditActor,
    next: (stored: StoredGroups) => Readonly<Record<string, unknown>> | undefined,
  ): Promise<GroupView> {
    const { deps } = this;
    for (;;) {
      const { version, stored } = this.snapshot;
      const value = next(stored);
      const nextStored = withGroup(stored, name, value);
      const values = resolveAll(nextStored, deps.env);
      const candidate = await deps.prepare(getGroup(name).rebuilds, values);
      let newVersion: string | undefined;
      try {
        newVersion = await this.write({ name, value, actor, expectedVersion: version });
      } catch (error) {
        await candidate.discard();
        throw error;
      }
      if (newVersion !== undefined) {
        this.snapshot = { version: newVersion, stored: nextStored, values };
        candidate.swap();
        await deps.publish(newVersion);
        return this.view(name);
      }
      // Another process saved in between: decide again on what it stored.
      await candidate.discard();
      await this.reread();
    }
  }

  /** Stores the group, the version and the audit entry together; undefined when the version has moved. */
  private write(change: {
    readonly name: string;
    readonly value: Readonly<Record<string, unknown>> | undefined;
    readonly actor: AuditActor;
    readonly expectedVersion: string;
  }): Promise<string | undefined> {
    const { name, value, actor, expectedVersion } = change;
    const group = getGroup(name);
    const { env, seal } = this.deps;
    const before = redact(group, { stored: this.snapshot.stored[name], env });
    const after = redact(group, { stored: value, env });
    return this.deps.db.runAsEngine(async (tx) => {
      if ((await lockSettingsVersion(tx)) !== expectedVersion) return undefined;
      if (value === undefined) await deleteGroup(tx, name);
      else await upsertGroup(tx, { name, value: seal.close(group, value), updatedBy: actor.id });
      await appendAudit(tx, {
        actor,
        action: value === undefined ? 'settings.revert' : 'settings.save',
        target: name,
        before,
        after,
      });
      return moveSettingsVersion(tx);
    });
  }
}

/** The settings of a project that is not served, for a job on it. */
export async function readProjectSettings(
  deps: Pick<SettingsDeps, 'db' | 'env' | 'seal'>,
): Promise<Settings> {
  return (await readSnapshot(deps)).values;
}

async function readSnapshot({
  db,
  env,
  seal,
}: Pick<SettingsDeps, 'db' | 'env' | 'seal'>): Promise<Snapshot> {
  const { version, groups } = await readSettings(db);
  const stored = Object.fromEntries(
    groups.map(({ name, value }) => [name, seal.open(name, value)] as const),
  );
  return { version, stored, values: resolveAll(stored, env) };
}

function withGroup(
  stored: StoredGroups,
  name: string,
  value: Readonly<Record<string, unknown>> | undefined,
): StoredGroups {
  const others = Object.entries(stored).filter(([other]) => other !== name);
  return Object.fromEntries(value === undefined ? others : [...others, [name, value] as const]);
}
