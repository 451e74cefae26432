import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';

export const defaultInboxLimit = 50;
const maxInboxLimit = 200;

export class InboxQuery {
  @ApiPropertyOptional({ description: 'Mails to this address alone', example: 'ada@example.org' })
  @IsOptional()
  @IsString()
  @MaxLength(320)
  recipient?: string;

  @ApiPropertyOptional({ minimum: 1, maximum: maxInboxLimit, default: defaultInboxLimit })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxInboxLimit)
  limit?: number;

  @ApiPropertyOptional({ description: 'The id of a mail: older ones are listed', example: '42' })
  @IsOptional()
  @Matches(/^\d{1,18}$/, { message: 'before must be the id of a mail' })
  before?: string;
}
