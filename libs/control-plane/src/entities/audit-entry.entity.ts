import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One change, with its actor and the actor's address. Rows are only ever added. */
@Entity('audit_entry')
export class AuditEntry {
  /** Grows with time; a bigint, which the driver returns as text. */
  @PrimaryColumn({ type: 'bigint', generated: 'identity' })
  id!: string;

  @Column('timestamptz', { default: () => 'pg_catalog.now()' })
  at!: Date;

  /** Null when the platform itself acted. */
  @Column('text', { nullable: true })
  operatorId!: string | null;

  @Column('text', { nullable: true })
  operatorEmail!: string | null;

  @Column('text')
  action!: string;

  @Column('text', { nullable: true })
  organizationId!: string | null;

  @Column('text', { nullable: true })
  ref!: string | null;

  @Column('text')
  target!: string;

  @Column('jsonb', { nullable: true })
  before!: unknown;

  @Column('jsonb', { nullable: true })
  after!: unknown;

  @Column('text', { nullable: true })
  ip!: string | null;

  @Column('text', { nullable: true })
  requestId!: string | null;
}
