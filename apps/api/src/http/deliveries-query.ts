import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, Matches, Max, Min } from 'class-validator';

const statuses = ['succeeded', 'failed', 'pending', 'dead'] as const;
const maxLimit = 200;

/** The parameters of lists of deliveries, the newest first. */
export class DeliveriesQuery {
  @ApiPropertyOptional({ enum: statuses })
  @IsOptional()
  @IsIn(statuses)
  status?: (typeof statuses)[number];

  @ApiPropertyOptional({
    description: 'The id of a delivery: older ones are listed',
    example: '42',
  })
  @IsOptional()
  @Matches(/^\d{1,18}$/, { message: 'before must be the id of a delivery' })
  before?: string;

  @ApiPropertyOptional({ minimum: 1, maximum: maxLimit, default: 50 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxLimit)
  limit?: number;
}
