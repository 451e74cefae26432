import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

const maxPerPage = 200;
/** Deeper pages would make the database count through all the ones before. */
const maxPage = 100_000;
const flags = ['true', 'false'] as const;
const roles = ['owner', 'admin', 'member'] as const;

export class PageQuery {
  @ApiPropertyOptional({ minimum: 1, default: 1 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxPage)
  page?: number;

  @ApiPropertyOptional({ minimum: 1, maximum: maxPerPage, default: 50 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxPerPage)
  perPage?: number;
}

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
