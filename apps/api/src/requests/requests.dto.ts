import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';

import type { RequestKind } from '#libs/project-runtime';

const kinds = ['all', 'failed', 'slow'] as const satisfies readonly RequestKind[];
const maxLimit = 1_000;

export class RecentRequestsQuery {
  @ApiPropertyOptional({
    enum: kinds,
    default: 'all',
    description: '`failed`: 4xx and 5xx. `slow`: a second and more.',
  })
  @IsOptional()
  @IsIn(kinds)
  readonly kind: RequestKind = 'all';

  @ApiPropertyOptional({ minimum: 1, maximum: maxLimit, default: 50 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxLimit)
  readonly limit: number = 50;

  @ApiPropertyOptional({ description: '`next` of the page before.' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  readonly before?: number;
}
