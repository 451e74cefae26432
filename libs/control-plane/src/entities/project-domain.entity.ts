import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The claim of a project to a host name. The project answers under it once it is verified. */
@Entity('project_domain')
export class ProjectDomain {
  /** In lower case, in ASCII, without a port. */
  @PrimaryColumn('text')
  domain!: string;

  @PrimaryColumn('text')
  ref!: string;

  @Column('timestamptz', { default: () => 'pg_catalog.now()' })
  createdAt!: Date;

  /** What the TXT record of the domain must say. */
  @Column('text')
  token!: string;

  /** Null: the claim is not proven, and nothing is served. */
  @Column('timestamptz', { nullable: true })
  verifiedAt!: Date | null;

  /** By a DNS record, by an administrator of the deployment, or by being there before claims were checked. */
  @Column('text', { nullable: true })
  proof!: 'dns' | 'operator' | 'migration' | null;

  /** When its DNS record was looked up last. */
  @Column('timestamptz', { nullable: true })
  checkedAt!: Date | null;
}
