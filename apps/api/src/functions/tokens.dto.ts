import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsNotEmpty,
  IsString,
  Matches,
  MaxLength,
  ValidateIf,
} from 'class-validator';

import { slugPattern } from './function-names.js';

const maxNameLength = 120;
const maxFunctions = 200;

export class NewFunctionTokenBody {
  @ApiProperty({ example: 'Payment provider', maxLength: maxNameLength })
  @IsString()
  @IsNotEmpty()
  @MaxLength(maxNameLength)
  name!: string;

  @ApiPropertyOptional({
    type: [String],
    example: ['hello'],
    description: 'Slugs of the functions that it may invoke; without it all',
  })
  @ValidateIf((_body, value) => value !== undefined)
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(maxFunctions)
  @Matches(slugPattern, { each: true })
  functions?: string[];
}
