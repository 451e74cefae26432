import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';

import { Given } from '../http/given.js';
import { routePattern, slugPattern } from './function-names.js';

const maxNameLength = 120;
const maxVersion = 2 ** 31 - 1;

export class ChangedFunctionBody {
  @ApiPropertyOptional({ example: 'Greeting', maxLength: maxNameLength })
  @Given()
  @IsString()
  @IsNotEmpty()
  @MaxLength(maxNameLength)
  name?: string;

  @ApiPropertyOptional({
    example: 'pay/webhook',
    description: 'Where it answers; by default its slug',
  })
  @Given()
  @Matches(routePattern, { message: 'route must be lower-case segments such as pay/webhook' })
  route?: string;

  @ApiPropertyOptional({
    default: false,
    description: 'Whether callers without a credential may invoke it',
  })
  @Given()
  @IsBoolean()
  isPublic?: boolean;
}

export class FunctionCodeBody extends ChangedFunctionBody {
  @ApiPropertyOptional({
    example: 'index.ts',
    description: 'The file that answers; index.ts or index.js by default',
  })
  @Given()
  @IsString()
  entrypoint?: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    example: { 'index.ts': "Deno.serve(() => new Response('Hello'));" },
    description: 'Texts by path; files that functions share begin with `../`',
  })
  @IsObject()
  files!: Record<string, unknown>;
}

export class NewFunctionBody extends FunctionCodeBody {
  @ApiProperty({ example: 'hello', pattern: slugPattern.source })
  @Matches(slugPattern, { message: 'slug must be lower-case letters, digits, _ and -' })
  slug!: string;
}

export class ActivateBody {
  @ApiProperty({ example: 1, minimum: 1 })
  @IsInt()
  @Min(1)
  @Max(maxVersion)
  version!: number;
}

export class DiffQuery {
  @ApiPropertyOptional({ minimum: 1, description: 'The other version; by default the one before' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxVersion)
  with?: number;
}
