import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDefined,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateIf,
} from 'class-validator';

import { maxNameLength } from '#libs/realtime-core';
import { Nested, NestedList } from '#libs/web';
import type { JsonRecord } from '#libs/wire';

import { maxSeconds } from '../../http/live-feed-query.js';
import { RunAsBody } from '../../sql/index.js';

/** Of one stream. */
const maxListeners = 8;

export class ListenerBody {
  @ApiProperty({ type: RunAsBody, example: { role: 'anon' }, description: 'As whom it joins' })
  @IsDefined()
  @IsObject()
  @Nested(() => RunAsBody)
  as!: RunAsBody;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: { topic: 'room', config: {} },
    description: 'The payload of rt:join: topic, config, resume',
  })
  @IsObject()
  join!: JsonRecord;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    example: { name: 'Ada' },
    description: 'What rt:track sends after the join; needs content.write. Absent: nothing',
  })
  @ValidateIf(({ presence }: ListenerBody) => presence !== undefined)
  @IsObject()
  presence?: JsonRecord;
}

export class InspectBody {
  @ApiProperty({ type: [ListenerBody], minItems: 1, maxItems: maxListeners })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(maxListeners)
  @NestedList(() => ListenerBody)
  listeners!: ListenerBody[];

  @ApiPropertyOptional({ minimum: 1, maximum: maxSeconds, default: maxSeconds, example: 1 })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(maxSeconds)
  seconds?: number;
}

export class SendAsBody {
  @ApiProperty({ type: RunAsBody, example: { role: 'anon' }, description: 'As whom it is sent' })
  @IsDefined()
  @IsObject()
  @Nested(() => RunAsBody)
  as!: RunAsBody;

  @ApiProperty({ example: 'room', minLength: 1, maxLength: maxNameLength })
  @IsString()
  @Length(1, maxNameLength)
  topic!: string;

  @ApiPropertyOptional({ default: false, description: 'Whether the topic is private' })
  @IsOptional()
  @IsBoolean()
  private?: boolean;

  @ApiProperty({ example: 'moved', minLength: 1, maxLength: maxNameLength })
  @IsString()
  @Length(1, maxNameLength)
  event!: string;

  @ApiPropertyOptional({
    example: { x: 3 },
    description: 'Any JSON value; null if it is left out',
  })
  @IsOptional()
  payload?: unknown;
}
