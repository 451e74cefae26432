import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';

import { Given } from '../../http/given.js';
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  WEBHOOK_EVENTS,
  type WebhookEvent,
} from './webhooks.sql.js';

const maxUrlLength = 2000;
const maxLimit = 200;
const example = 'https://example.com/hooks/files';

class WebhookBody {
  @ApiPropertyOptional({ enum: WEBHOOK_EVENTS, isArray: true, default: ['uploaded'] })
  @Given()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(WEBHOOK_EVENTS, { each: true })
  events?: WebhookEvent[];

  @ApiPropertyOptional({ default: true, description: 'Off: nothing is sent; what waits is kept' })
  @Given()
  @IsBoolean()
  active?: boolean;
}

export class CreateWebhookBody extends WebhookBody {
  @ApiProperty({ maxLength: maxUrlLength, example })
  @IsString()
  @MaxLength(maxUrlLength)
  url!: string;
}

/** What is left out stays. */
export class ChangeWebhookBody extends WebhookBody {
  @ApiPropertyOptional({ maxLength: maxUrlLength, example })
  @Given()
  @IsString()
  @MaxLength(maxUrlLength)
  url?: string;
}

export class ListDeliveriesQuery {
  @ApiPropertyOptional({ enum: DELIVERY_STATUSES })
  @IsOptional()
  @IsIn(DELIVERY_STATUSES)
  status?: DeliveryStatus;

  @ApiPropertyOptional({ minimum: 1, maximum: maxLimit, default: 50 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxLimit)
  limit?: number;

  @ApiPropertyOptional({ minimum: 0, default: 0 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  offset?: number;
}
