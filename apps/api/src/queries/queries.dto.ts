import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsNotEmpty, IsString, MaxLength } from 'class-validator';

import { Given } from '../http/given.js';

const maxNameLength = 120;
const maxSqlLength = 100_000;

/** White space around a name would make two names look the same. */
function Trimmed(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.trim() : value,
  );
}

export class NewQueryBody {
  @ApiProperty({ example: 'New users by day', maxLength: maxNameLength })
  @Trimmed()
  @IsString()
  @IsNotEmpty()
  @MaxLength(maxNameLength)
  name!: string;

  @ApiProperty({ example: 'select 1 as one', maxLength: maxSqlLength })
  @IsString()
  @IsNotEmpty()
  @MaxLength(maxSqlLength)
  sql!: string;

  @ApiPropertyOptional({ default: false, description: 'Whether others see and run it' })
  @Given()
  @IsBoolean()
  isShared?: boolean;
}

export class ChangedQueryBody {
  @ApiPropertyOptional({ example: 'New users by week', maxLength: maxNameLength })
  @Given()
  @Trimmed()
  @IsString()
  @IsNotEmpty()
  @MaxLength(maxNameLength)
  name?: string;

  @ApiPropertyOptional({ example: 'select 2 as two', maxLength: maxSqlLength })
  @Given()
  @IsString()
  @IsNotEmpty()
  @MaxLength(maxSqlLength)
  sql?: string;

  @ApiPropertyOptional({ description: 'Whether others see and run it' })
  @Given()
  @IsBoolean()
  isShared?: boolean;
}
