import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';

import { DeliveriesQuery } from '../http/deliveries-query.js';

const hooks = ['signUp', 'accessToken', 'send', 'events'] as const;

export class HookDeliveriesQuery extends DeliveriesQuery {
  @ApiPropertyOptional({ enum: hooks })
  @IsOptional()
  @IsIn(hooks)
  hook?: (typeof hooks)[number];
}
