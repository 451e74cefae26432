import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsISO8601, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

import { USER_ORDERS, type UserOrder } from './list-users.sql.js';

const maxPerPage = 200;
/** Deeper pages would make the database count through all the ones before. */
const maxPage = 100_000;
const flags = ['true', 'false'] as const;

export class ListUsersQuery {
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

  @ApiPropertyOptional({ description: 'A part of an address, name, user name, number or id' })
  @IsOptional()
  @IsString()
  @MaxLength(320)
  search?: string;

  @ApiPropertyOptional({ example: 'ADMIN' })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  role?: string;

  @ApiPropertyOptional({ example: 'active' })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  status?: string;

  @ApiPropertyOptional({ example: 'google', description: 'credential: users with a password' })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  provider?: string;

  @ApiPropertyOptional({ enum: flags })
  @IsOptional()
  @IsIn(flags)
  isAnonymous?: (typeof flags)[number];

  @ApiPropertyOptional({ format: 'date-time', description: 'This moment included' })
  @IsOptional()
  @IsISO8601({ strict: true })
  createdFrom?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'This moment not included' })
  @IsOptional()
  @IsISO8601({ strict: true })
  createdTo?: string;

  @ApiPropertyOptional({ enum: USER_ORDERS, default: 'createdAt.desc' })
  @IsOptional()
  @IsIn(USER_ORDERS)
  orderBy?: UserOrder;
}
