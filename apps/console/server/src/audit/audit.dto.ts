import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDate, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { PageSize } from '../http/page-query.js';

const id = /^\d{1,18}$/;

export class ProjectAuditQuery extends PageSize {
  @ApiPropertyOptional({ description: 'The id of an operator.' })
  @IsOptional()
  @IsString()
  readonly operatorId?: string;

  @ApiPropertyOptional({ description: 'An action or its first part.', example: 'project.create' })
  @IsOptional()
  @IsString()
  readonly action?: string;

  @ApiPropertyOptional({
    description: 'What was changed: the id of an operator, the ref of a project.',
    maxLength: 200,
  })
  @IsOptional()
  @IsString()
  @MaxLength(200)
  readonly target?: string;

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
}

export class AuditQuery extends ProjectAuditQuery {
  @ApiPropertyOptional({ description: 'The ref of a project.' })
  @IsOptional()
  @IsString()
  readonly ref?: string;
}
