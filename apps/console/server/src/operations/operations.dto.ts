import {
  type OperationKind,
  operationKinds,
  type OperationState,
  operationStates,
} from '#libs/control-plane';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, Matches, Max, Min } from 'class-validator';

const maxPage = 200;
const defaultPage = 50;
const id = /^\d{1,18}$/;

export class ListOperationsQuery {
  @ApiPropertyOptional({
    enum: operationStates,
    description: 'Default: all that are not finished: `waiting`, `running` and `failed`.',
  })
  @IsOptional()
  @IsIn(operationStates)
  readonly state?: OperationState;

  @ApiPropertyOptional({ enum: operationKinds })
  @IsOptional()
  @IsIn(operationKinds)
  readonly kind?: OperationKind;

  @ApiPropertyOptional({ description: 'The ref of a project.' })
  @IsOptional()
  @IsString()
  readonly ref?: string;

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
