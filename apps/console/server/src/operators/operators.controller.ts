import { listOperators, resetOperator, updateOperator } from '#libs/control-plane';
import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';
import { CurrentOperator } from '../http/current-operator.js';
import {
  OperatorChangesBody,
  OperatorReply,
  OperatorsQuery,
  OperatorsReply,
  ResetBody,
  ResetReply,
} from './operators.dto.js';

@ApiTags('Operators')
@Controller('platform/operators')
export class OperatorsController {
  constructor(private readonly deps: ConsoleDeps) {}

  @Get()
  @Access({ kind: 'deployment-admin' })
  @ApiOkResponse({ type: OperatorsReply })
  list(@Query() { limit = 100, offset = 0 }: OperatorsQuery): Promise<OperatorsReply> {
    return listOperators(this.deps.controlPlane.dataSource, { limit, offset });
  }

  /** A disabled operator is signed out at once. The last active administrator cannot be disabled. */
  @Patch(':id')
  @Access({ kind: 'deployment-admin' })
  @ApiOkResponse({ type: OperatorReply })
  update(
    @CurrentOperator() operator: CurrentOperator,
    @Param('id') id: string,
    @Body() changes: OperatorChangesBody,
  ): Promise<OperatorReply> {
    return updateOperator(this.deps.controlPlane, operator, { id, changes });
  }

  /** Creates a password for one login and signs the operator out everywhere. */
  @Post(':id/reset')
  @Access({ kind: 'deployment-admin' })
  @HttpCode(200)
  @ApiOkResponse({ type: ResetReply })
  reset(
    @CurrentOperator() operator: CurrentOperator,
    @Param('id') id: string,
    @Body() { removeSecondFactor = false }: ResetBody,
  ): Promise<ResetReply> {
    return resetOperator(this.deps.controlPlane.dataSource, operator, { id, removeSecondFactor });
  }
}
