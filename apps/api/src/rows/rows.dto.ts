import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsObject, IsOptional } from 'class-validator';

import { NestedList } from '#libs/web';

const kinds = ['insert', 'update', 'delete'] as const;
const maxChanges = 1_000;
const textsByColumn = {
  type: 'object',
  additionalProperties: { type: 'string', nullable: true },
} as const;

/** A change of one row. Values are texts as PostgreSQL reads them, or null. */
export class RowChange {
  @ApiProperty({ enum: kinds })
  @IsIn(kinds)
  readonly kind!: (typeof kinds)[number];

  @ApiPropertyOptional({ ...textsByColumn, description: 'The primary key of the row' })
  @IsOptional()
  @IsObject()
  readonly key?: Readonly<Record<string, unknown>>;

  @ApiPropertyOptional({
    ...textsByColumn,
    description: 'The values that the row had when it was read; other values are a conflict',
  })
  @IsOptional()
  @IsObject()
  readonly was?: Readonly<Record<string, unknown>>;

  @ApiPropertyOptional({ ...textsByColumn, description: 'The values to write' })
  @IsOptional()
  @IsObject()
  readonly values?: Readonly<Record<string, unknown>>;
}

export class ChangeRowsBody {
  @ApiProperty({ type: [RowChange], minItems: 1, maxItems: maxChanges })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(maxChanges)
  @NestedList(() => RowChange)
  readonly changes!: readonly RowChange[];
}
