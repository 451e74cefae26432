import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsNotEmpty, IsObject, IsString, Matches, MaxLength } from 'class-validator';

import { Given } from '../../http/given.js';
import { slugPattern } from '../function-names.js';

const maxNameLength = 120;
const maxCronLength = 200;
const maxZoneLength = 64;
const slugRule = 'function must be the slug of a function';

/** What is left out stays. */
export class ChangedScheduleBody {
  @ApiPropertyOptional({ example: 'Nightly report', maxLength: maxNameLength })
  @Given()
  @IsString()
  @IsNotEmpty()
  @MaxLength(maxNameLength)
  name?: string;

  @ApiPropertyOptional({ example: 'report', description: 'The slug of the function to call' })
  @Given()
  @Matches(slugPattern, { message: slugRule })
  function?: string;

  @ApiPropertyOptional({
    example: '0 3 * * *',
    description: 'Minute, hour, day of the month, month, day of the week',
  })
  @Given()
  @IsString()
  @MaxLength(maxCronLength)
  cron?: string;

  @ApiPropertyOptional({ example: 'Europe/Paris', default: 'UTC' })
  @Given()
  @IsString()
  @MaxLength(maxZoneLength)
  timeZone?: string;

  @ApiPropertyOptional({
    type: Object,
    example: { kind: 'daily' },
    description: 'The body of the calls; an empty object by default',
  })
  @Given()
  @IsObject()
  body?: Record<string, unknown>;

  @ApiPropertyOptional({ default: true })
  @Given()
  @IsBoolean()
  isActive?: boolean;
}

export class NewScheduleBody extends ChangedScheduleBody {
  @ApiProperty({ example: 'Nightly report', maxLength: maxNameLength })
  @IsString()
  @IsNotEmpty()
  @MaxLength(maxNameLength)
  declare name: string;

  @ApiProperty({ example: 'report', description: 'The slug of the function to call' })
  @Matches(slugPattern, { message: slugRule })
  declare function: string;

  @ApiProperty({
    example: '0 3 * * *',
    description: 'Minute, hour, day of the month, month, day of the week',
  })
  @IsString()
  @MaxLength(maxCronLength)
  declare cron: string;
}
