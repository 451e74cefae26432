import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsISO8601, IsOptional, IsString, MaxLength } from 'class-validator';

import { PageQuery } from '../../http/page-query.js';
import { USER_ORDERS, type UserOrder } from './list-users.sql.js';

const flags = ['true', 'false'] as const;

export class ListUsersQuery extends PageQuery {
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

  @ApiPropertyOptional({ format: 'date-time', description: 'This moment included' })
  @IsOptional()
  @IsISO8601({ strict: true })
  lastSignInFrom?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'This moment not included' })
  @IsOptional()
  @IsISO8601({ strict: true })
  lastSignInTo?: string;

  @ApiPropertyOptional({ enum: flags, description: 'false: only users who never signed in' })
  @IsOptional()
  @IsIn(flags)
  hasSignedIn?: (typeof flags)[number];

  @ApiPropertyOptional({ enum: USER_ORDERS, default: 'createdAt.desc' })
  @IsOptional()
  @IsIn(USER_ORDERS)
  orderBy?: UserOrder;
}
