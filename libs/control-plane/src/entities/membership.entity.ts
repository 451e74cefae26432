import type { Capability } from '#libs/wire';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Role } from '../organizations/roles.js';

/** What an operator may do in an organization or, if a project is named, in that project alone. */
@Entity('membership')
export class Membership {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  operatorId!: string;

  @Column('text')
  organizationId!: string;

  /** Null: the whole organization with all its projects. */
  @Column('text', { nullable: true })
  projectRef!: string | null;

  @Column('text')
  role!: Role;

  /** Read for the role `custom` only. */
  @Column('text', { array: true, default: () => `'{}'` })
  capabilities!: Capability[];

  @Column('timestamptz', { default: () => 'pg_catalog.now()' })
  createdAt!: Date;
}
