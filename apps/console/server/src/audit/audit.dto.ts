import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDate, IsInt, IsOptional, IsString, Matches, Max, Min } from 'class-validator';

const maxPage = 200;
const defaultPage = 50;
const id = /^\d{1,18}$/;

export class ProjectAuditQuery {
  @ApiPropertyOptional({ description: 'The id of an operator.' })
  @IsOptional()
  @IsString()
  readonly operatorId?: string;

  @ApiPropertyOptional({ description: 'An action or its first part.', example: 'project.create' })
  @IsOptional()
  @IsString()
  readonly action?: string;

  @ApiPropertyOptional({ description: 'From this moment on.', example: '2030-01-31T00:00:00Z' })
  @IsOptional()
  @Type(() => Date)
  @IsDate()
  readonly from?: Date;

  @ApiPropertyOptional({ description: 'Before this moment.' })
  @IsOptional()
  @Type(() => Date)
  @IsDate()
  readonly to?: Date;

  @ApiPropertyOptional({ description: '`next` of the page before.' })
  @IsOptional()
  @Matches(id)
  readonly before?: string;

  @ApiPropertyOptional({ default: defaultPage, maximum: maxPage })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxPage)
  readonly limit: number = defaultPage;
}

export class AuditQuery extends ProjectAuditQuery {
  @ApiPropertyOptional({ description: 'The ref of a project.' })
  @IsOptional()
  @IsString()
  readonly ref?: string;
}
