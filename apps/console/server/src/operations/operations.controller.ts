import { listOperations, type OperationView, retryOperation } from '#libs/control-plane';
import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';
import { CurrentOperator } from '../http/current-operator.js';
import { ListOperationsQuery } from './operations.dto.js';

/** The newest first; `next` is null on the last page. */
interface OperationsPage {
  readonly operations: OperationView[];
  readonly next: string | null;
}

@ApiTags('operations')
@Controller('platform/operations')
export class OperationsController {
  constructor(private readonly deps: ConsoleDeps) {}

  @Get()
  @Access({ kind: 'operator' })
  list(
    @CurrentOperator() operator: CurrentOperator,
    @Query() query: ListOperationsQuery,
  ): Promise<OperationsPage> {
    return listOperations(this.deps.controlPlane.dataSource, operator, query);
  }

  @Post(':id/retry')
  @HttpCode(200)
  @Access({ kind: 'operator' })
  retry(
    @CurrentOperator() operator: CurrentOperator,
    @Param('id') id: string,
  ): Promise<OperationView> {
    return retryOperation(this.deps.controlPlane.dataSource, operator, id);
  }
}
