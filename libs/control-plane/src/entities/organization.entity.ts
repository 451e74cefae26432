import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A group of projects and of the operators who work on them. */
@Entity('organization')
export class Organization {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  slug!: string;

  @Column('timestamptz', { default: () => 'pg_catalog.now()' })
  createdAt!: Date;

  @Column('timestamptz', { default: () => 'pg_catalog.now()' })
  updatedAt!: Date;
}
