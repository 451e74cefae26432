import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsArray, IsDefined, IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';

const anyObject = { type: 'object', additionalProperties: true } as const;
const changes = {
  type: 'array',
  items: anyObject,
  description:
    'Changes that are made before and undone after: `save`, `drop` or `rls`. Takes secrets.manage.',
} as const;
const as = {
  ...anyObject,
  example: { kind: 'anon' },
  description:
    'The caller: `anon`, `user` with userId, `claims` with role and claims, or `key` with keyId or key. ' +
    '`user` and `key` take secrets.manage.',
} as const;
const request = {
  ...anyObject,
  example: { kind: 'select', table: 'planets', query: 'name=eq.Earth' },
  description:
    '`select`, `insert`, `update` or `delete` with table, query, values and prefer; `rpc` with function and ' +
    'arguments; or `file` with access, bucket and key',
} as const;
const expectation = {
  ...anyObject,
  example: { kind: 'rows', count: 1 },
  description: '`rows` with count, `keys` with keys, or `refused` with code',
} as const;

export class ListPoliciesQuery {
  @ApiPropertyOptional({ description: 'Only tables of this schema', example: 'public' })
  @IsOptional()
  @IsString()
  @MaxLength(63)
  schema?: string;
}

export class TryPoliciesBody {
  @ApiProperty(as)
  @IsDefined()
  as!: unknown;

  @ApiProperty(request)
  @IsDefined()
  request!: unknown;

  @ApiPropertyOptional(changes)
  @IsOptional()
  @IsArray()
  policies?: unknown[];
}

export class CreatePolicyTestBody {
  @ApiProperty({ maxLength: 200, example: 'Visitors see the Earth' })
  @IsString()
  name!: string;

  @ApiProperty(as)
  @IsDefined()
  as!: unknown;

  @ApiProperty(request)
  @IsDefined()
  request!: unknown;

  @ApiProperty(expectation)
  @IsDefined()
  expect!: unknown;
}

export class ChangePolicyTestBody {
  @ApiPropertyOptional({ maxLength: 200 })
  @IsOptional()
  @IsString()
  name?: string;

  @ApiPropertyOptional(as)
  @IsOptional()
  as?: unknown;

  @ApiPropertyOptional(request)
  @IsOptional()
  request?: unknown;

  @ApiPropertyOptional(expectation)
  @IsOptional()
  expect?: unknown;
}

export class RunPolicyTestsBody {
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', format: 'uuid' },
    description: 'The tests to run; absent: all',
  })
  @IsOptional()
  @IsArray()
  @IsUUID(undefined, { each: true })
  ids?: string[];

  @ApiPropertyOptional(changes)
  @IsOptional()
  @IsArray()
  policies?: unknown[];
}
