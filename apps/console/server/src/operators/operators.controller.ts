import {
  deleteOperator,
  endSessionOf,
  endSessionsOf,
  listOperators,
  listSessionsOf,
  resetOperator,
  updateOperator,
} from '#libs/control-plane';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';
import { CurrentOperator } from '../http/current-operator.js';
import { AfterQuery } from '../http/page-query.js';
import {
  OperatorChangesBody,
  OperatorReply,
  OperatorsReply,
  ResetBody,
  ResetReply,
} from './operators.dto.js';
import { SessionReply } from './sessions.dto.js';

@ApiTags('Operators')
@Controller('platform/operators')
export class OperatorsController {
  constructor(private readonly deps: ConsoleDeps) {}

  @Get()
  @Access({ kind: 'deployment-admin' })
  @ApiOkResponse({ type: OperatorsReply })
  async list(@Query() query: AfterQuery): Promise<OperatorsReply> {
    const { dataSource } = this.deps.controlPlane;
    const { rows, total, next } = await listOperators(dataSource, query);
    return { operators: rows, total, next };
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

  /**
   * Deletes the account with its memberships and sessions. The last active owner of an organization is not deleted (409
   * `LAST_OWNER`), and neither is your own account (409 `CONFLICT`). The audit log keeps the entries of the operator.
   */
  @Delete(':id')
  @Access({ kind: 'deployment-admin' })
  @HttpCode(204)
  @ApiNoContentResponse()
  delete(@CurrentOperator() operator: CurrentOperator, @Param('id') id: string): Promise<void> {
    return deleteOperator(this.deps.controlPlane.dataSource, operator, id);
  }

  /** The most recently used first. */
  @Get(':id/sessions')
  @Access({ kind: 'deployment-admin' })
  @ApiOkResponse({ type: [SessionReply] })
  sessions(
    @CurrentOperator() operator: CurrentOperator,
    @Param('id') id: string,
  ): Promise<readonly SessionReply[]> {
    return listSessionsOf(this.deps.controlPlane.dataSource, operator, id);
  }

  @Delete(':id/sessions')
  @Access({ kind: 'deployment-admin' })
  @HttpCode(204)
  @ApiNoContentResponse()
  endSessions(
    @CurrentOperator() operator: CurrentOperator,
    @Param('id') id: string,
  ): Promise<void> {
    return endSessionsOf(this.deps.controlPlane.dataSource, operator, id);
  }

  @Delete(':id/sessions/:sessionId')
  @Access({ kind: 'deployment-admin' })
  @HttpCode(204)
  @ApiNoContentResponse()
  endSession(
    @CurrentOperator() operator: CurrentOperator,
    @Param('id') operatorId: string,
    @Param('sessionId') id: string,
  ): Promise<void> {
    return endSessionOf(this.deps.controlPlane.dataSource, operator, { operatorId, id });
  }
}
