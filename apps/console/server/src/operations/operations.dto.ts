import {
  type OperationKind,
  operationKinds,
  type OperationState,
  operationStates,
} from '#libs/control-plane';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Matches } from 'class-validator';
import { PageSize } from '../http/page-query.js';

const id = /^\d{1,18}$/;

export class ListOperationsQuery extends PageSize {
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
}
