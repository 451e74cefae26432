import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';

import type { Visibility } from '../core/stored-file.js';

/** What a form may hold. It is read as a stream: this describes it. */
export class UploadBody {
  @ApiProperty({ type: 'string', format: 'binary' })
  file!: unknown;

  @ApiPropertyOptional({
    description: 'Slug of the bucket; without one the platform keeps the file',
  })
  bucket?: string;

  @ApiPropertyOptional({
    description: 'The key of the file in its bucket; without one <id>/<file name>. Also called key',
  })
  path?: string;

  @ApiPropertyOptional({ enum: ['public', 'private'], description: 'Default: that of the bucket' })
  visibility?: Visibility;

  @ApiPropertyOptional({ description: 'Whether a file with this key is replaced' })
  upsert?: boolean;

  @ApiPropertyOptional({ description: 'Overrides the type that the part declares' })
  contentType?: string;

  @ApiPropertyOptional({ example: '3600' })
  cacheControl?: string;

  @ApiPropertyOptional({ description: 'A JSON object of at most 8 KiB' })
  metadata?: string;
}

export class PresignBody {
  @ApiProperty({ example: 'report.pdf' })
  @IsString()
  @MinLength(1)
  @MaxLength(1024)
  filename!: string;

  @ApiProperty({ example: 1048576, description: 'The exact length in bytes' })
  @IsInt()
  @Min(0)
  size!: number;

  @ApiProperty({ example: 'application/pdf' })
  @IsString()
  @MinLength(1)
  mime!: string;

  @ApiPropertyOptional({ enum: ['public', 'private'], description: 'Default: that of the bucket' })
  @IsOptional()
  @IsIn(['public', 'private'])
  visibility?: Visibility;

  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  bucket?: string;

  @ApiPropertyOptional({ description: 'The key; without one <id>/<filename>' })
  @IsOptional()
  @IsString()
  path?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsBoolean()
  upsert?: boolean;

  @ApiPropertyOptional({ example: '3600' })
  @IsOptional()
  @IsString()
  cacheControl?: string;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true })
  @IsOptional()
  @IsObject()
  metadata?: Record<string, unknown>;

  @ApiPropertyOptional({ description: '64 hexadecimal digits, compared at the end' })
  @IsOptional()
  @Matches(/^[0-9a-f]{64}$/i, { message: 'sha256 must be 64 hexadecimal digits' })
  sha256?: string;
}
