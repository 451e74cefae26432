// The parameters of lists that come in numbered pages.
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';

const maxPerPage = 200;
const defaultPerPage = 50;
/** Deeper pages would make the database count through all the ones before. */
const maxPage = 100_000;

/** Base of the parameters of each such list. */
export class PageQuery {
  @ApiPropertyOptional({ minimum: 1, maximum: maxPage, default: 1 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxPage)
  readonly page: number = 1;

  @ApiPropertyOptional({ minimum: 1, maximum: maxPerPage, default: defaultPerPage })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(maxPerPage)
  readonly perPage: number = defaultPerPage;
}

/** The numbers that every such list returns beside its rows. */
export interface NumberedPage {
  /** Rows on all pages together. */
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
}

/** Returns the rows of a page: how many at most, and how many come before them. */
export function rowsOfPage({ page, perPage }: PageQuery): {
  readonly limit: number;
  readonly offset: number;
} {
  return { limit: perPage, offset: (page - 1) * perPage };
}
