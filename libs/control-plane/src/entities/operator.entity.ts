import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A user of the console. The row is shared with the auth engine (operators/operator-auth.ts). */
@Entity('operator')
export class Operator {
  @PrimaryColumn('text')
  id!: string;

  /** In lower case. */
  @Column('text')
  email!: string;

  @Column('text')
  name!: string;

  @Column('text')
  status!: 'active' | 'disabled';

  @Column('boolean')
  isDeploymentAdmin!: boolean;

  @Column('boolean')
  mustChangePassword!: boolean;

  @Column('boolean')
  twoFactorEnabled!: boolean;

  @Column('timestamptz')
  createdAt!: Date;

  /** Null: not since the deployment notes it. */
  @Column('timestamptz', { nullable: true })
  lastSignInAt!: Date | null;
}
