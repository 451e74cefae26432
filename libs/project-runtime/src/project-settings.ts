// The settings of one project as stored in its database, at one version. Immutable: a change creates new settings,
// which take effect once their rows are committed and the runtime has swapped them in.
import type { ProjectDatabase } from '#libs/database';
import {
  applyWrite,
  type Environment,
  getGroup,
  type GroupName,
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

type StoredGroup = Readonly<Record<string, unknown>>;
type StoredGroups = Readonly<Record<string, StoredGroup>>;

/** The sources of a project's settings. */
export interface SettingsSource {
  readonly db: Pick<ProjectDatabase, 'queryAsEngine' | 'runAsEngine'>;
  /** Fallbacks of fields that are not stored. */
  readonly env: Environment;
  readonly seal: SettingsSeal;
}

/** A change of one group, decided on the settings of one version and not stored yet. */
export interface SettingsChange {
  readonly name: string;
  /** The group as it will be stored; undefined: its row is deleted. */
  readonly value: StoredGroup | undefined;
  /** All settings after the change. */
  readonly next: ProjectSettings;
}

/** A group as the admin API shows it. */
export type GroupView = Readonly<Record<string, unknown>>;

export class ProjectSettings {
  /** The values of all groups: stored, else environment, else default. */
  readonly values: Settings;

  private constructor(
    private readonly source: SettingsSource,
    /** A number in digits, which grows by one with each save. */
    readonly version: string,
    private readonly stored: StoredGroups,
  ) {
    this.values = resolveAll(stored, source.env);
  }

  /** Reads the stored groups. Throws DATABASE_UNAVAILABLE. */
  static async load(source: SettingsSource): Promise<ProjectSettings> {
    const { version, groups } = await readSettings(source.db);
    const stored = groups.map(({ name, value }) => [name, source.seal.open(name, value)] as const);
    return new ProjectSettings(source, version, Object.fromEntries(stored));
  }

  /** Reads the rows again. Returns these settings if their version is the same. */
  async reload(): Promise<ProjectSettings> {
    const read = await ProjectSettings.load(this.source);
    return read.version === this.version ? this : read;
  }

  /** Returns the values of a group. */
  get<N extends GroupName>(name: N): SettingsOf<N> {
    // `Settings` maps each name to its values; the compiler does not see it through the type parameter.
    return this.values[name] as SettingsOf<N>;
  }

  /** Returns a group with its secrets hidden. Throws UNKNOWN_SETTINGS_GROUP. */
  view(name: string): GroupView {
    return redact(getGroup(name), { stored: this.stored[name], env: this.source.env });
  }

  /** Decodes the new value of a whole group. Throws UNKNOWN_SETTINGS_GROUP, UNKNOWN_FIELD, INVALID_INPUT. */
  decode(name: string, body: unknown): SettingsChange {
    const stored = this.stored[name];
    const value = applyWrite(getGroup(name), { stored, env: this.source.env, body });
    return { name, value, next: this.with(name, value) };
  }

  /** Removes the stored group: its values come from the environment and the defaults again. */
  without(name: string): SettingsChange {
    return { name, value: undefined, next: this.with(name, undefined) };
  }

  /**
   * Stores a change of these settings, the version and the audit entry in one transaction. Returns false, and stores
   * nothing, if the rows now have another version.
   */
  commit({ name, value, next }: SettingsChange, actor: AuditActor): Promise<boolean> {
    const { db, seal } = this.source;
    const group = getGroup(name);
    return db.runAsEngine(async (tx) => {
      if ((await lockSettingsVersion(tx)) !== this.version) return false;
      if (value === undefined) await deleteGroup(tx, name);
      else await upsertGroup(tx, { name, value: seal.close(group, value), updatedBy: actor.id });
      await appendAudit(tx, {
        actor,
        action: value === undefined ? 'settings.revert' : 'settings.save',
        target: name,
        before: this.view(name),
        after: next.view(name),
      });
      await moveSettingsVersion(tx, next.version);
      return true;
    });
  }

  /** Returns the settings of the next version, with another value of one group. */
  private with(name: string, value: StoredGroup | undefined): ProjectSettings {
    const others = Object.entries(this.stored).filter(([other]) => other !== name);
    const stored = value === undefined ? others : [...others, [name, value] as const];
    const version = String(BigInt(this.version) + 1n);
    return new ProjectSettings(this.source, version, Object.fromEntries(stored));
  }
}
