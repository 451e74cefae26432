import { ApiProperty } from '@nestjs/swagger';

class SessionOperator {
  @ApiProperty()
  readonly id!: string;

  @ApiProperty()
  readonly email!: string;

  @ApiProperty()
  readonly name!: string;

  @ApiProperty()
  readonly isDeploymentAdmin!: boolean;

  @ApiProperty()
  readonly twoFactorEnabled!: boolean;

  @ApiProperty()
  readonly mustChangePassword!: boolean;
}

class OpenSession {
  @ApiProperty()
  readonly id!: string;

  @ApiProperty()
  readonly expiresAt!: Date;
}

export class CurrentSessionReply {
  @ApiProperty()
  readonly operator!: SessionOperator;

  @ApiProperty()
  readonly session!: OpenSession;
}

export class SessionReply {
  @ApiProperty()
  readonly id!: string;

  @ApiProperty({ type: String, nullable: true })
  readonly ip!: string | null;

  @ApiProperty({ type: String, nullable: true })
  readonly userAgent!: string | null;

  @ApiProperty()
  readonly createdAt!: Date;

  @ApiProperty()
  readonly lastSeenAt!: Date;

  @ApiProperty()
  readonly expiresAt!: Date;

  @ApiProperty()
  readonly isCurrent!: boolean;
}
