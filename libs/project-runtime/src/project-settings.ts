// The settings of one project as stored in its database, at one version. Immutable: a change creates new settings,
// which take effect once their rows are committed and the runtime has swapped them in.
import { isDeepStrictEqual } from 'node:util';

import type { ProjectDatabase, TableReads } from '#libs/database';
import {
  applyWrite,
  type Environment,
  type FieldSources,
  findGroup,
  getGroup,
  type GroupName,
  redact,
  recordedVersion,
  resolveAll,
  restoredBody,
  type Settings,
  type SettingsOf,
  secretsChanged,
  sourcesOf,
  unopenedPathsIn,
} from '#libs/settings';
import { cutValues } from '#libs/wire';

import { appendAudit, type AuditActor } from './audit.js';
import {
  deleteGroup,
  lockKept,
  lockSettingsVersion,
  moveSettingsVersion,
  peekVersion,
  readLocked,
  readSettings,
  type StoredSettings,
  upsertGroup,
  writeKept,
} from './settings.sql.js';
import { appendVersion, type SettingsAction } from './settings-history.sql.js';
import type { SettingsSeal } from './settings-seal.js';

type StoredGroup = Readonly<Record<string, unknown>>;
type StoredGroups = Readonly<Record<string, StoredGroup>>;

/** The sources of a project's settings. */
export interface SettingsSource {
  readonly db: Pick<ProjectDatabase, 'queryAsEngine' | 'runAsEngine'> & TableReads;
  /** Fallbacks of fields that are not stored. */
  readonly env: Environment;
  readonly seal: SettingsSeal;
}

/** A change of one group, decided on the settings of one version and not stored yet. */
export interface SettingsChange {
  readonly name: string;
  readonly action: SettingsAction;
  /** The version of the history that a `restore` returns to. */
  readonly restoredId?: string;
  /** The group as it will be stored; undefined: its row is deleted. */
  readonly value: StoredGroup | undefined;
  /** All settings after the change. */
  readonly next: ProjectSettings;
}

/** A group as the admin API shows it. */
export type GroupView = Readonly<Record<string, unknown>>;

/** A group with what a form needs to show where its values come from. Secrets are hidden everywhere. */
export interface GroupSources {
  readonly values: GroupView;
  /** Where each value comes from, in the shape of the group. */
  readonly sources: FieldSources;
  /** The values of the group if nothing of it were stored. */
  readonly unstored: GroupView;
}

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
    const stored = await readSettings(source.db);
    return new ProjectSettings(source, stored.version, openGroups(stored, source.seal));
  }

  /** Returns the settings of a version from their sealed text; undefined if that was sealed for something else. */
  static ofSealed(
    source: SettingsSource,
    { version, sealed }: { readonly version: string; readonly sealed: string | null },
  ): ProjectSettings | undefined {
    const groups = sealed === null ? undefined : source.seal.openAll(version, sealed);
    return groups && new ProjectSettings(source, version, openGroups({ groups }, source.seal));
  }

  /**
   * Keeps the stored groups as a sealed text for {@link ofSealed}, unless there is such a text and it opens. Their
   * secrets stay sealed in it: another release may know others. They are read again under a lock: a change that is not
   * committed yet removes the text when it is.
   */
  async keep(): Promise<void> {
    const { db, seal } = this.source;
    await db.runAsEngine(async (tx) => {
      const kept = await lockKept(tx);
      if (kept === undefined) return;
      const { version, sealed } = kept;
      if (sealed !== null && seal.openAll(version, sealed) !== undefined) return;
      await writeKept(tx, version, seal.closeAll(version, await readLocked(tx)));
    });
  }

  /** Reads the rows again. Returns these settings if their version is the same. */
  async reload(): Promise<ProjectSettings> {
    if ((await peekVersion(this.source.db)) === this.version) return this;
    const read = await ProjectSettings.load(this.source);
    return read.version === this.version ? this : read;
  }

  /** Returns these settings with the fallbacks `env`. */
  under(env: Environment): ProjectSettings {
    if (isDeepStrictEqual(env, this.source.env)) return this;
    return new ProjectSettings({ ...this.source, env }, this.version, this.stored);
  }

  /** Returns the values of a group. */
  get<N extends GroupName>(name: N): SettingsOf<N> {
    // `Settings` maps each name to its values; the compiler does not see it through the type parameter.
    return this.values[name] as SettingsOf<N>;
  }

  /** The stored secrets that cannot be opened; they count as not set. */
  get unopened(): readonly { readonly group: string; readonly field: string }[] {
    return Object.entries(this.stored).flatMap(([name, value]) => {
      const group = findGroup(name);
      return group ? unopenedPathsIn(group, value).map((field) => ({ group: name, field })) : [];
    });
  }

  /** Returns a group with its secrets hidden. Throws UNKNOWN_SETTINGS_GROUP. */
  view(name: string): GroupView {
    return redact(getGroup(name), { stored: this.stored[name], env: this.source.env });
  }

  /** Returns a group with the sources of its values. Throws UNKNOWN_SETTINGS_GROUP. */
  viewSources(name: string): GroupSources {
    const group = getGroup(name);
    const { env } = this.source;
    return {
      values: this.view(name),
      sources: sourcesOf(group, { stored: this.stored[name], env }),
      unstored: redact(group, { stored: undefined, env }),
    };
  }

  /** Decodes the new value of a whole group. Throws UNKNOWN_SETTINGS_GROUP, UNKNOWN_FIELD, INVALID_INPUT. */
  decode(name: string, body: unknown): SettingsChange {
    const stored = this.stored[name];
    const value = applyWrite(getGroup(name), { stored, env: this.source.env, body });
    return { name, action: 'save', value, next: this.with(name, value) };
  }

  /**
   * Returns a group to a version of its history; undefined: the group was not stored then. Secrets stay as they are now.
   * Throws as `decode` does.
   */
  restore(name: string, version: StoredGroup | undefined, restoredId: string): SettingsChange {
    if (version === undefined) return { ...this.without(name), action: 'restore', restoredId };
    const body = restoredBody(getGroup(name), version, this.stored[name]);
    return { ...this.decode(name, body), action: 'restore', restoredId };
  }

  /** Removes the stored group: its values come from the environment and the defaults again. */
  without(name: string): SettingsChange {
    return { name, action: 'revert', value: undefined, next: this.with(name, undefined) };
  }

  /**
   * Stores a change of these settings, the version, the audit entry and that of the history in one transaction. Returns false, and stores
   * nothing, if the rows now have another version.
   */
  commit(change: SettingsChange, actor: AuditActor): Promise<boolean> {
    const { name, action, value, next } = change;
    const { db, seal } = this.source;
    const group = getGroup(name);
    const old = this.stored[name];
    return db.runAsEngine(async (tx) => {
      if ((await lockSettingsVersion(tx)) !== this.version) return false;
      if (value === undefined) await deleteGroup(tx, name);
      else await upsertGroup(tx, { name, value: seal.close(group, value), updatedBy: actor.id });
      await appendAudit(tx, {
        actor,
        action: `settings.${action}`,
        target: name,
        // The history of the group has them whole.
        before: cutValues(this.view(name)),
        after: cutValues(next.view(name)),
      });
      await appendVersion(tx, {
        name,
        actor,
        action,
        restoredId: change.restoredId,
        before: old && recordedVersion(group, old),
        after: value && recordedVersion(group, value),
        changedSecrets: secretsChanged(group, old, value),
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

function openGroups({ groups }: Pick<StoredSettings, 'groups'>, seal: SettingsSeal): StoredGroups {
  return Object.fromEntries(groups.map(({ name, value }) => [name, seal.open(name, value)]));
}
