import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';

export const defaultHistoryLimit = 20;
const maxHistoryLimit = 100;
const states = ['before', 'after'] as const;

export class HistoryQuery {
  @ApiPropertyOptional({ description: 'The id of a version: older ones are listed', example: '42' })
  @IsOptional()
  @Matches(/^\d{1,18}$/, { message: 'before must be the id of a version' })
  before?: string;

  @ApiPropertyOptional({ minimum: 1, maximum: maxHistoryLimit, default: defaultHistoryLimit })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxHistoryLimit)
  limit?: number;
}

export class RestoreBody {
  @ApiPropertyOptional({
    enum: states,
    default: 'after',
    description: 'What was stored after the change, or before it',
  })
  @IsOptional()
  @IsIn(states)
  state?: (typeof states)[number];
}
