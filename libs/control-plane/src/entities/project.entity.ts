import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * `creating` and `deleting` are temporary states, which an operation ends. A project is `deleted` while it can be
 * restored.
 */
export const projectStatuses = ['creating', 'active', 'paused', 'deleted', 'deleting'] as const;
export type ProjectStatus = (typeof projectStatuses)[number];

/** The driver returns a bigint as text. */
const numberOrNull = (value: string | number | null): number | null =>
  value === null ? null : Number(value);

/** One isolated backend with its own database. */
@Entity('project')
export class Project {
  @PrimaryColumn('text')
  ref!: string;

  @Column('text')
  organizationId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  status!: ProjectStatus;

  @Column('text')
  idType!: 'text' | 'uuid';

  /** Grows with each change that the data plane must learn of. */
  @Column('bigint', { transformer: { from: Number, to: (version: number) => version } })
  version!: number;

  /** Part of the names of the database and its logins. Random, so that neighbors cannot guess it. */
  @Column('text')
  databaseId!: string;

  /** Whether database and logins still have the names of earlier releases, which contain the ref. */
  @Column('boolean', { default: false })
  hasLegacyNames!: boolean;

  /** Sealed with the master key. */
  @Column('text')
  sealedDataKey!: string;

  /** The passwords of database logins, sealed with the data key. */
  @Column('text')
  sealedLogins!: string;

  /** The release whose project migrations the database has. */
  @Column('text')
  migratedTo!: string;

  /** Whether the superuser's first migrations have run in the database. They never run there again. */
  @Column('boolean', { default: true })
  hasFoundation!: boolean;

  /** The release to which an upgrade has begun to migrate it. */
  @Column('text', { nullable: true })
  migratingTo!: string | null;

  /** The name of the snapshot of a running upgrade; the project's logins cannot connect meanwhile. */
  @Column('text', { nullable: true })
  upgrading!: string | null;

  /** Whether only `rowhouse upgrade` upgrades it, because an upgrade of it was taken back. */
  @Column('boolean', { default: false })
  upgradeHeld!: boolean;

  /** The most bytes that its files may have together; null: the default of the deployment. */
  @Column('bigint', { nullable: true, transformer: { from: numberOrNull, to: numberOrNull } })
  storageQuotaBytes!: number | null;

  /** The most bytes that its database may take; null: the default of the deployment. */
  @Column('bigint', { nullable: true, transformer: { from: numberOrNull, to: numberOrNull } })
  databaseQuotaBytes!: number | null;

  /**
   * Whether its mails may go over the mail server of the deployment; null: `SMTP_PROJECTS` decides; if it is not set,
   * `isAdministered`.
   */
  @Column('boolean', { nullable: true })
  sharedMailServer!: boolean | null;

  /** Whether an administrator of the deployment created it. */
  @Column('boolean', { default: false })
  isAdministered!: boolean;

  /** Since when the database is above its limit and takes no writes; null: it is not. */
  @Column('timestamptz', { nullable: true })
  databaseFullSince!: Date | null;

  /** The size of the database when it was found above its limit. */
  @Column('bigint', { nullable: true, transformer: { from: numberOrNull, to: numberOrNull } })
  databaseFullBytes!: number | null;

  /** When a deleted project is removed for good. */
  @Column('timestamptz', { nullable: true })
  deleteAt!: Date | null;

  /** The state to which a deleted project returns if it is restored. */
  @Column('text', { nullable: true })
  statusBefore!: 'active' | 'paused' | null;

  @Column('timestamptz', { default: () => 'pg_catalog.now()' })
  createdAt!: Date;
}
