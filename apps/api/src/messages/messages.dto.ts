import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, IsUUID, Max, MaxLength, Min } from 'class-validator';

import { messageStatuses } from './messages.sql.js';

export const defaultMessagesLimit = 50;
const maxMessagesLimit = 200;

export class MessagesQuery {
  @ApiPropertyOptional({ enum: messageStatuses })
  @IsOptional()
  @IsIn(messageStatuses)
  status?: (typeof messageStatuses)[number];

  @ApiPropertyOptional({
    description: 'Messages to this address or number alone',
    example: 'ada@example.org',
  })
  @IsOptional()
  @IsString()
  @MaxLength(320)
  recipient?: string;

  @ApiPropertyOptional({
    description: 'The id of a message: older ones are listed',
    example: '019a9c5e-7d2b-7c31-9f0a-3f5b8f1c2d4e',
  })
  @IsOptional()
  @IsUUID()
  before?: string;

  @ApiPropertyOptional({ minimum: 1, maximum: maxMessagesLimit, default: defaultMessagesLimit })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxMessagesLimit)
  limit?: number;
}
