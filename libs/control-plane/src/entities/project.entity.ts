import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * `creating` and `deleting` are states on the way: their operation brings them to an end. A project is `deleted` while
 * it can be restored.
 */
export const projectStatuses = ['creating', 'active', 'paused', 'deleted', 'deleting'] as const;
export type ProjectStatus = (typeof projectStatuses)[number];

/** The driver gives a bigint as text. */
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

  /** Moves with each change that the data plane must hear of. */
  @Column('bigint', { transformer: { from: Number, to: (version: number) => version } })
  version!: number;

  /** Names the database and its logins. Random, so that neighbours cannot guess it. */
  @Column('text')
  databaseId!: string;

  /** Whether database and logins still have the names that earlier releases made of the ref. */
  @Column('boolean', { default: false })
  hasLegacyNames!: boolean;

  /** Sealed with the master key. */
  @Column('text')
  sealedDataKey!: string;

  /** The passwords of database logins, sealed with the data key. */
  @Column('text')
  sealedLogins!: string;

  /** The release of project migrations that the database has. */
  @Column('text')
  migratedTo!: string;

  /** The release that an upgrade has begun to bring it to. */
  @Column('text', { nullable: true })
  migratingTo!: string | null;

  /** The name of the snapshot of an upgrade that is under way; its logins may not connect meanwhile. */
  @Column('text', { nullable: true })
  upgrading!: string | null;

  /** Whether `rowhouse upgrade` alone upgrades it: an upgrade of it was taken back. */
  @Column('boolean', { default: false })
  upgradeHeld!: boolean;

  /** The most that its files may hold together; null: what the deployment gives to each project. */
  @Column('bigint', { nullable: true, transformer: { from: numberOrNull, to: numberOrNull } })
  storageQuotaBytes!: number | null;

  /** When a deleted project is removed for good. */
  @Column('timestamptz', { nullable: true })
  deleteAt!: Date | null;

  /** Where a deleted project returns to when it is restored. */
  @Column('text', { nullable: true })
  statusBefore!: 'active' | 'paused' | null;

  @Column('timestamptz', { default: () => 'pg_catalog.now()' })
  createdAt!: Date;
}
