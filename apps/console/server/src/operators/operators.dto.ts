import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';

const statuses = ['active', 'disabled'] as const;

export class OperatorsQuery {
  @ApiPropertyOptional({ default: 100, minimum: 1, maximum: 500 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(500)
  readonly limit?: number;

  @ApiPropertyOptional({ default: 0, minimum: 0, maximum: 1_000_000 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  readonly offset?: number;
}

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
}

export class OperatorsReply {
  @ApiProperty({ type: [OperatorReply] })
  readonly operators!: readonly OperatorReply[];

  @ApiProperty()
  readonly total!: number;
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
