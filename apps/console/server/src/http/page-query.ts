// The parameters of lists that come in pages. A list by name continues `after` the page before, a list with the newest
// first continues `before` it.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

const maxPage = 200;
/** Of lists that the console shows whole: a deployment with 1,000 projects. */
const maxProjects = 1_000;
const defaultPage = 50;
const maxCursor = 2048;

/** Base of the parameters of each list that comes in pages. */
export class PageSize {
  @ApiPropertyOptional({ default: defaultPage, maximum: maxPage })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxPage)
  readonly limit: number = defaultPage;
}

/** Base of the parameters of lists that the console shows whole: projects, memberships. */
export class ProjectPageQuery {
  @ApiPropertyOptional({ default: defaultPage, maximum: maxProjects })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxProjects)
  readonly limit: number = defaultPage;

  @ApiPropertyOptional({ description: '`next` of the page before.' })
  @IsOptional()
  @IsString()
  @MaxLength(maxCursor)
  readonly after?: string;
}

export class AfterQuery extends PageSize {
  @ApiPropertyOptional({ description: '`next` of the page before.' })
  @IsOptional()
  @IsString()
  @MaxLength(maxCursor)
  readonly after?: string;
}

export class BeforeQuery extends PageSize {
  @ApiPropertyOptional({ description: '`next` of the page before.' })
  @IsOptional()
  @IsString()
  @MaxLength(maxCursor)
  readonly before?: string;
}
