import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  Allow,
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';

import { Given } from '../../http/given.js';

const maxTypes = 100;
const maxNameLength = 200;
const flags = ['true', 'false'] as const;

export class CorsRuleBody {
  @ApiProperty({ type: [String], example: ['https://app.example.org', 'https://*.example.org'] })
  origins!: string[];

  @ApiProperty({ type: [String], example: ['GET', 'POST'] })
  methods!: string[];

  @ApiPropertyOptional({ type: [String], example: ['x-bucket-token', 'content-type'] })
  allowedHeaders?: string[];

  @ApiPropertyOptional({ type: [String], example: ['etag'] })
  exposedHeaders?: string[];

  @ApiPropertyOptional({ minimum: 0, maximum: 86_400, default: 600 })
  maxAgeSeconds?: number;
}

/** What is left out stays; null takes a limit away. */
export class ChangeBucketBody {
  @ApiPropertyOptional({ minLength: 1, maxLength: maxNameLength })
  @Given()
  @IsString()
  @MinLength(1)
  @MaxLength(maxNameLength)
  name?: string;

  @ApiPropertyOptional({ default: false, description: 'Whether its public files need no token' })
  @Given()
  @IsBoolean()
  public?: boolean;

  @ApiPropertyOptional({
    type: Number,
    nullable: true,
    minimum: 0,
    description:
      'Bytes that its files may have together. Less than they have is allowed: no upload fits until there is room',
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  quotaBytes?: number | null;

  @ApiPropertyOptional({ type: Number, nullable: true, minimum: 0, description: 'Of one file' })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  maxFileBytes?: number | null;

  @ApiPropertyOptional({
    type: [String],
    nullable: true,
    example: ['image/*', 'application/pdf'],
    description: 'Uploads of other types are refused; null allows all',
  })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1, { message: 'allowedMimeTypes must name a type; null allows all' })
  @ArrayMaxSize(maxTypes)
  @IsString({ each: true })
  allowedMimeTypes?: string[] | null;

  @ApiPropertyOptional({
    type: [CorsRuleBody],
    description: 'Without rules those of the project hold',
  })
  // The rules are parsed by parseCorsRules, which names the place of what is wrong.
  @Allow()
  cors?: unknown;
}

export class CreateBucketBody extends ChangeBucketBody {
  @ApiProperty({ example: 'pictures', pattern: '^[a-z0-9][a-z0-9_-]{0,62}$' })
  @IsString()
  slug!: string;
}

export class ListBucketsQuery {
  @ApiPropertyOptional({ enum: flags, description: 'Whether those of the platform are shown, too' })
  @IsOptional()
  @IsIn(flags)
  hidden?: (typeof flags)[number];
}

export class DeleteBucketQuery {
  @ApiPropertyOptional({ enum: flags, description: 'Whether its files are deleted with it' })
  @IsOptional()
  @IsIn(flags)
  force?: (typeof flags)[number];
}
