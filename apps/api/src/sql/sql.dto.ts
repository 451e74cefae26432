import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsString,
  IsUUID,
  Max,
  MaxLength,
  Min,
} from 'class-validator';

import { Nested } from '#libs/web';
import type { DatabaseRole, JsonRecord } from '#libs/wire';

import { Given } from '../http/given.js';

const roles = ['anon', 'authenticated', 'service_role'] as const satisfies DatabaseRole[];
export const defaultMaxRows = 1_000;
const maxMaxRows = 50_000;

/** Whom a script runs as: a role, with claims or without, or a user. */
export class RunAsBody {
  @ApiPropertyOptional({ enum: roles })
  @Given()
  @IsIn(roles)
  role?: DatabaseRole;

  @ApiPropertyOptional({ description: 'The id of a user, in place of a role' })
  @Given()
  @IsString()
  @IsNotEmpty()
  @MaxLength(255)
  userId?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'What auth.jwt() returns, for a role',
  })
  @Given()
  @IsObject()
  claims?: JsonRecord;
}

export class RunSqlBody {
  @ApiProperty({
    example: 'select 1 as one',
    description: 'One statement, or several without params',
  })
  @IsString()
  @IsNotEmpty()
  query!: string;

  @ApiPropertyOptional({ type: 'array', items: {}, description: 'Values of $1, $2, …' })
  @Given()
  @IsArray()
  params?: unknown[];

  @ApiPropertyOptional({
    type: RunAsBody,
    example: { role: 'anon' },
    description: 'Runs as another role, on rows alone; needs secrets.manage to name a user',
  })
  @Given()
  @IsObject()
  @Nested(() => RunAsBody)
  as?: RunAsBody;

  @ApiPropertyOptional({
    enum: ['last', 'all'],
    default: 'last',
    example: 'all',
    description: 'Whether the answer has the last rows as objects, or the result of each statement',
  })
  @Given()
  @IsIn(['last', 'all'])
  results?: 'last' | 'all';

  @ApiPropertyOptional({
    minimum: 1,
    maximum: maxMaxRows,
    default: defaultMaxRows,
    description: 'The most rows of each statement, with results all',
  })
  @Given()
  @IsInt()
  @Min(1)
  @Max(maxMaxRows)
  maxRows?: number;

  @ApiPropertyOptional({ description: 'Undoes everything at the end' })
  @Given()
  @IsBoolean()
  dryRun?: boolean;

  @ApiPropertyOptional({
    format: 'uuid',
    description: 'An id of your choice, by which the script can be cancelled while it runs',
  })
  @Given()
  @IsUUID()
  id?: string;
}
