// The parameters of streams of events.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

import { assertionLifetimeSeconds } from '#libs/secrets';

/** A stream ends at the latest when the assertion of an operator would. */
export const maxSeconds = assertionLifetimeSeconds;

export class LiveFeedQuery {
  @ApiPropertyOptional({ minimum: 1, maximum: maxSeconds, default: maxSeconds })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxSeconds)
  seconds?: number;
}
