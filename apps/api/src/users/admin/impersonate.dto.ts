import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';

import { Given } from '../../http/given.js';

export const maxImpersonationSeconds = 3600;

export class ImpersonateBody {
  @ApiPropertyOptional({
    minimum: 60,
    maximum: maxImpersonationSeconds,
    default: maxImpersonationSeconds,
    description: 'After how many seconds the session ends, however much it is used',
  })
  @Given()
  @IsInt()
  @Min(60)
  @Max(maxImpersonationSeconds)
  expiresInSeconds?: number;
}
