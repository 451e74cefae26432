import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A project's claim to a host name. The project answers there once the claim is verified. */
@Entity('project_domain')
export class ProjectDomain {
  /** In lower case, in ASCII, without a port. */
  @PrimaryColumn('text')
  domain!: string;

  @PrimaryColumn('text')
  ref!: string;

  @Column('timestamptz', { default: () => 'pg_catalog.now()' })
  createdAt!: Date;

  /** The required text of the domain's TXT record. */
  @Column('text')
  token!: string;

  /** Null: the claim is not verified, and nothing is served. */
  @Column('timestamptz', { nullable: true })
  verifiedAt!: Date | null;

  /** By a DNS record, by an administrator of the deployment, or because it is older than the verification of claims. */
  @Column('text', { nullable: true })
  proof!: 'dns' | 'operator' | 'migration' | null;

  /** Time of the last DNS lookup. */
  @Column('timestamptz', { nullable: true })
  checkedAt!: Date | null;
}
