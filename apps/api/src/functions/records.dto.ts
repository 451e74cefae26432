import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';

import { LiveFeedQuery } from '../http/live-feed-query.js';
import { slugPattern } from './function-names.js';

const levels = ['debug', 'info', 'log', 'warn', 'error'] as const;
const maxLimit = 200;
export const defaultLimit = 50;

export class InvocationsQuery {
  @ApiPropertyOptional({ description: 'The slug of a function' })
  @IsOptional()
  @Matches(slugPattern, { message: 'function must be a slug' })
  function?: string;

  @ApiPropertyOptional({ description: 'The id of a request, as its answer has it' })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  requestId?: string;

  @ApiPropertyOptional({ description: '`next` of the page before.', example: '42' })
  @IsOptional()
  @Matches(/^\d{1,18}$/, { message: 'before must be the id of an entry' })
  before?: string;

  @ApiPropertyOptional({ minimum: 1, maximum: maxLimit, default: defaultLimit })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxLimit)
  limit?: number;
}

export class FunctionLogsQuery extends InvocationsQuery {
  @ApiPropertyOptional({ enum: levels })
  @IsOptional()
  @IsIn(levels)
  level?: (typeof levels)[number];
}

export class FunctionStreamQuery extends LiveFeedQuery {
  @ApiPropertyOptional({ description: 'The slug of a function' })
  @IsOptional()
  @Matches(slugPattern, { message: 'function must be a slug' })
  function?: string;

  @ApiPropertyOptional({ enum: levels, description: 'Log lines of this level alone' })
  @IsOptional()
  @IsIn(levels)
  level?: (typeof levels)[number];
}
