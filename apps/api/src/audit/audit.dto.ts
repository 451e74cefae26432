import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsIn,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';

export const defaultAuditLimit = 50;
const maxAuditLimit = 200;
const actors = ['user', 'operator', 'secret-key'] as const;

export class AuditQuery {
  @ApiPropertyOptional({
    example: 'user.promote',
    description: 'An action, or with * at its end several',
  })
  @IsOptional()
  @Matches(/^(?:[\w.-]{1,64}\*?|\*)$/, { message: 'action must be like user.promote or user.*' })
  action?: string;

  @ApiPropertyOptional({ description: 'What was changed: the id of a user, a settings group' })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  target?: string;

  @ApiPropertyOptional({ enum: actors })
  @IsOptional()
  @IsIn(actors)
  actorKind?: (typeof actors)[number];

  @ApiPropertyOptional({ description: 'Who changed it: the id of a user or an operator' })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  actorId?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'This moment included' })
  @IsOptional()
  @IsISO8601({ strict: true })
  from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'This moment not included' })
  @IsOptional()
  @IsISO8601({ strict: true })
  to?: string;

  @ApiPropertyOptional({ description: 'The id of an entry: older ones are listed', example: '42' })
  @IsOptional()
  @Matches(/^\d{1,18}$/, { message: 'before must be the id of an entry' })
  before?: string;

  @ApiPropertyOptional({ minimum: 1, maximum: maxAuditLimit, default: defaultAuditLimit })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxAuditLimit)
  limit?: number;
}
