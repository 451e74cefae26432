import type { Capability } from '#libs/wire';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Role } from '../organizations/roles.js';

/** An invitation to a membership. Its token is stored as a hash; any person with the token can accept it. */
@Entity('operator_invitation')
export class OperatorInvitation {
  @PrimaryColumn('text')
  id!: string;

  /** In lower case. */
  @Column('text')
  email!: string;

  @Column('text')
  organizationId!: string;

  /** Null: the whole organization. */
  @Column('text', { nullable: true })
  projectRef!: string | null;

  @Column('text')
  role!: Role;

  /** Read for the role `custom` only. */
  @Column('text', { array: true, default: () => `'{}'` })
  capabilities!: Capability[];

  /** SHA-256 in hex. */
  @Column('text')
  tokenHash!: string;

  /** The id of the operator who invites. */
  @Column('text')
  invitedBy!: string;

  @Column('timestamptz', { default: () => 'pg_catalog.now()' })
  createdAt!: Date;

  @Column('timestamptz')
  expiresAt!: Date;

  @Column('timestamptz', { nullable: true })
  acceptedAt!: Date | null;
}
