import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';

const statuses = ['active', 'disabled'] as const;

export class OperatorReply {
  @ApiProperty()
  readonly id!: string;

  @ApiProperty()
  readonly email!: string;

  @ApiProperty()
  readonly name!: string;

  @ApiProperty({ enum: statuses })
  readonly status!: (typeof statuses)[number];

  @ApiProperty()
  readonly isDeploymentAdmin!: boolean;

  @ApiProperty()
  readonly mustChangePassword!: boolean;

  @ApiProperty()
  readonly twoFactorEnabled!: boolean;

  @ApiProperty()
  readonly createdAt!: Date;

  @ApiProperty({
    type: Date,
    nullable: true,
    description: 'With the second factor if there is one. Null: not yet',
  })
  readonly lastSignInAt!: Date | null;
}

export class OperatorsReply {
  @ApiProperty({ type: [OperatorReply] })
  readonly operators!: readonly OperatorReply[];

  @ApiProperty({ description: 'Of all pages' })
  readonly total!: number;

  @ApiProperty({ type: String, nullable: true, description: 'Null on the last page' })
  readonly next!: string | null;
}

export class OperatorChangesBody {
  @ApiPropertyOptional()
  @IsOptional()
  @IsBoolean()
  readonly isDeploymentAdmin?: boolean;

  @ApiPropertyOptional({ enum: statuses })
  @IsOptional()
  @IsIn(statuses)
  readonly status?: (typeof statuses)[number];
}

export class ResetBody {
  @ApiPropertyOptional({
    description: 'For an operator who has lost authenticator and backup codes',
  })
  @IsOptional()
  @IsBoolean()
  readonly removeSecondFactor?: boolean;
}

export class ResetReply {
  @ApiProperty()
  readonly email!: string;

  @ApiProperty({ description: 'Shown once, and to be replaced at the first login' })
  readonly generatedPassword!: string;
}
