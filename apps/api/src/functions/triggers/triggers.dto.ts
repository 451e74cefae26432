import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsNotEmpty,
  IsString,
  Matches,
  MaxLength,
  ValidateIf,
} from 'class-validator';

import { Given } from '../../http/given.js';
import { slugPattern } from '../function-names.js';
import { type TriggerEvent, triggerEvents } from './triggers.sql.js';

const maxNameLength = 120;
const maxTableLength = 63;
const maxUrlLength = 2000;
const maxFilterLength = 4096;

/** Null is a value: it removes what is there. */
function GivenOrNull(): PropertyDecorator {
  return ValidateIf((_body, value) => value !== undefined && value !== null);
}

/** What is left out stays. */
export class ChangedTriggerBody {
  @ApiPropertyOptional({ example: 'Paid orders', maxLength: maxNameLength })
  @Given()
  @IsString()
  @IsNotEmpty()
  @MaxLength(maxNameLength)
  name?: string;

  @ApiPropertyOptional({ enum: triggerEvents, isArray: true, default: triggerEvents })
  @Given()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(triggerEvents, { each: true })
  events?: TriggerEvent[];

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    example: 'status=eq.paid',
    maxLength: maxFilterLength,
    description: 'Changes whose row does not match are left out; null: none is',
  })
  @GivenOrNull()
  @IsString()
  @IsNotEmpty()
  @MaxLength(maxFilterLength)
  filter?: string | null;

  @ApiPropertyOptional({ example: 'hello', description: 'The slug of the function to call' })
  @Given()
  @Matches(slugPattern, { message: 'function must be the slug of a function' })
  function?: string;

  @ApiPropertyOptional({
    example: 'https://example.com/orders',
    maxLength: maxUrlLength,
    description: 'The address to call instead of a function; calls are signed',
  })
  @Given()
  @IsString()
  @MaxLength(maxUrlLength)
  url?: string;

  @ApiPropertyOptional({ default: true, description: 'Off: changes are not captured' })
  @Given()
  @IsBoolean()
  isActive?: boolean;
}

export class NewTriggerBody extends ChangedTriggerBody {
  @ApiProperty({ example: 'Paid orders', maxLength: maxNameLength })
  @IsString()
  @IsNotEmpty()
  @MaxLength(maxNameLength)
  declare name: string;

  @ApiProperty({ example: 'orders', description: 'A table of the schema public' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(maxTableLength)
  table!: string;
}
