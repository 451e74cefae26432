import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';

import { PageQuery } from '../../http/page-query.js';

const flags = ['true', 'false'] as const;
const roles = ['owner', 'admin', 'member'] as const;

export class ListOrganizationsQuery extends PageQuery {
  @ApiPropertyOptional({ description: 'A part of a name, slug or id' })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  search?: string;

  @ApiPropertyOptional({ enum: flags, description: 'false: only organizations without an owner' })
  @IsOptional()
  @IsIn(flags)
  hasOwner?: (typeof flags)[number];
}

export class SetMemberBody {
  @ApiProperty({ enum: roles })
  @IsIn(roles)
  role!: (typeof roles)[number];
}
