import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsObject, IsString, MaxLength } from 'class-validator';

import { Given } from '../../http/given.js';

export const LINK_TYPES = ['signup', 'invite', 'magiclink', 'recovery'] as const;
export type LinkType = (typeof LINK_TYPES)[number];
const flows = ['cookie', 'code'] as const;

class LinkBody {
  @ApiProperty({ example: 'ada@example.org' })
  @IsString()
  @MaxLength(254)
  email!: string;

  @ApiPropertyOptional({ description: 'An address of auth.urls; by default the site URL' })
  @Given()
  @IsString()
  @MaxLength(2000)
  redirectTo?: string;

  @ApiPropertyOptional({
    enum: flows,
    default: 'cookie',
    description: 'code: the redirect carries a code for /api/auth/exchange-code and no cookie',
  })
  @Given()
  @IsIn(flows)
  flow?: (typeof flows)[number];

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'The user_metadata of a new account',
  })
  @Given()
  @IsObject()
  data?: Record<string, unknown>;
}

export class InviteUserBody extends LinkBody {}

export class GenerateLinkBody extends LinkBody {
  @ApiProperty({ enum: LINK_TYPES })
  @IsString()
  @MaxLength(64)
  type!: string;

  @ApiPropertyOptional({ description: 'Of the new account, with the type signup' })
  @Given()
  @IsString()
  @MaxLength(1024)
  password?: string;
}
