import { type UsageStep, usageSteps } from '#libs/control-plane';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsISO8601, IsOptional, Max, Min } from 'class-validator';
import { ProjectPageQuery } from '../http/page-query.js';

const maxMinutes = 24 * 60;

export class ReadUsageQuery {
  @ApiPropertyOptional({
    enum: usageSteps,
    default: 'hour',
    description: 'The span of a point. Minutes are kept for 30 days, days for a year.',
  })
  @IsOptional()
  @IsIn(usageSteps)
  readonly step: UsageStep = 'hour';

  @ApiPropertyOptional({
    format: 'date-time',
    description:
      'Default: an hour before `to` by minute, a day by hour, 30 days by day. At most a day, 7 days, 366 days.',
  })
  @IsOptional()
  @IsISO8601({ strict: true, strictSeparator: true })
  readonly from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Default: now.' })
  @IsOptional()
  @IsISO8601({ strict: true, strictSeparator: true })
  readonly to?: string;
}

export class ListUsageQuery extends ProjectPageQuery {
  @ApiPropertyOptional({
    default: 60,
    maximum: maxMinutes,
    description: 'How many minutes, up to now. With 1,000 projects at most 60.',
  })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxMinutes)
  readonly minutes: number = 60;
}
