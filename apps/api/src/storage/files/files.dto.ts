import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateIf,
} from 'class-validator';

import { type Direction, FILE_ORDERS, type FileOrder } from './list-files.sql.js';

const maxPageLength = 1000;
const defaultPageLength = 100;
const maxOffset = 10_000_000;
const maxRemoved = 1000;
/** Longer than any valid key, so that the rule of keys reports a key that is too long. */
const maxPathLength = 8192;
const maxSearchLength = 200;
const flags = ['true', 'false'] as const;
const directions = ['asc', 'desc'] as const;
const visibilities = ['public', 'private'] as const;

export class ListFilesQuery {
  @ApiPropertyOptional({ description: 'The folder to look into, e.g. photos/2024' })
  @IsOptional()
  @IsString()
  @MaxLength(maxPathLength)
  prefix?: string;

  @ApiPropertyOptional({ description: 'Part of a name, in small or capital letters' })
  @IsOptional()
  @IsString()
  @MaxLength(maxSearchLength)
  search?: string;

  @ApiPropertyOptional({ minimum: 1, maximum: maxPageLength, default: defaultPageLength })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxPageLength)
  limit: number = defaultPageLength;

  @ApiPropertyOptional({ minimum: 0, maximum: maxOffset, default: 0 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(maxOffset)
  offset: number = 0;

  @ApiPropertyOptional({ enum: FILE_ORDERS, default: 'name' })
  @IsOptional()
  @IsIn(FILE_ORDERS)
  sortBy: FileOrder = 'name';

  @ApiPropertyOptional({ enum: directions, default: 'asc' })
  @IsOptional()
  @IsIn(directions)
  order: Direction = 'asc';

  @ApiPropertyOptional({
    enum: flags,
    default: 'false',
    description: 'Whether all files below the prefix are listed, and no folders',
  })
  @IsOptional()
  @IsIn(flags)
  recursive: (typeof flags)[number] = 'false';
}

export class RelocateFileBody {
  @ApiProperty({ example: 'avatars' })
  @IsString()
  bucket!: string;

  @ApiProperty({ example: 'drafts/ada.png', description: 'A key or the id of a file' })
  @IsString()
  @MaxLength(maxPathLength)
  from!: string;

  @ApiProperty({ example: 'ada.png', description: 'The new key, in the same bucket' })
  @IsString()
  @MaxLength(maxPathLength)
  to!: string;

  @ApiPropertyOptional({ default: false, description: 'Whether a file with this key is replaced' })
  @IsOptional()
  @IsBoolean()
  upsert?: boolean;
}

export class RemoveFilesBody {
  @ApiProperty({ example: 'avatars' })
  @IsString()
  bucket!: string;

  @ApiProperty({ type: [String], minItems: 1, maxItems: maxRemoved, description: 'Keys or ids' })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(maxRemoved)
  @IsString({ each: true })
  @MaxLength(maxPathLength, { each: true })
  paths!: string[];
}

export class ChangeFileBody {
  @ApiPropertyOptional({ enum: visibilities })
  @IsOptional()
  @IsIn(visibilities)
  visibility?: (typeof visibilities)[number];

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    example: 'public, max-age=86400',
    description: 'Of a public file; seconds or directives, null for the default',
  })
  @ValidateIf(
    ({ cacheControl }: ChangeFileBody) => typeof (cacheControl ?? undefined) !== 'undefined',
  )
  @IsString()
  cacheControl?: string | null;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Replaces all of it',
  })
  @IsOptional()
  @IsObject()
  metadata?: Record<string, unknown>;
}
