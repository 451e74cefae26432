import { Column, Entity, PrimaryColumn } from 'typeorm';

export type ProjectKeyKind = 'publishable' | 'secret';

/** A key of a project. The key itself is shown once and never stored. */
@Entity('project_key')
export class ProjectKey {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  ref!: string;

  @Column('text')
  kind!: ProjectKeyKind;

  /** SHA-256 in hex. */
  @Column('text')
  hash!: string;

  /** The last four characters. */
  @Column('text')
  hint!: string;

  @Column('timestamptz', { default: () => 'pg_catalog.now()' })
  createdAt!: Date;

  /** Null: the key does not expire. */
  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  revokedAt!: Date | null;
}
