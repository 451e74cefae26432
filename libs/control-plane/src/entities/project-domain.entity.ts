import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A host name of the operator's own under which a project answers. */
@Entity('project_domain')
export class ProjectDomain {
  /** In lower case, in ASCII, without a port. */
  @PrimaryColumn('text')
  domain!: string;

  @Column('text')
  ref!: string;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
