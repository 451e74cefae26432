import {
  type Giver,
  grantMembership,
  listMemberships,
  type MembershipView,
} from '#libs/control-plane';
import type { Capability } from '#libs/wire';
import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';
import { CurrentOperator, ProjectCapabilities } from '../http/current-operator.js';
import { ProjectPageQuery } from '../http/page-query.js';
import { GiveMembershipBody } from './organizations.dto.js';

/** By email address, organization and project; `next` is null on the last page. */
interface MembershipsPage {
  readonly memberships: readonly MembershipView[];
  readonly next: string | null;
}

@ApiTags('organizations')
@Controller('platform')
export class MembershipsController {
  constructor(private readonly deps: ConsoleDeps) {}

  /** Of the organizations in which you have `members.manage`; administrators of the deployment see all. */
  @Get('memberships')
  @Access({ kind: 'operator' })
  async list(
    @CurrentOperator() operator: CurrentOperator,
    @Query() query: ProjectPageQuery,
  ): Promise<MembershipsPage> {
    const { dataSource } = this.deps.controlPlane;
    const { rows, next } = await listMemberships(dataSource, operator, query);
    return { memberships: rows, next };
  }

  /**
   * Gives a role at once, without an invitation: to an operator who is a member of the organization or of one of its
   * projects already, or by an administrator of the deployment to any operator. Another operator is 404
   * `OPERATOR_NOT_FOUND`: invite the person.
   */
  @Post('organizations/:organizationId/memberships')
  @Access({ kind: 'capability', capability: 'members.manage', scope: 'organization' })
  give(
    @CurrentOperator() actor: CurrentOperator,
    @ProjectCapabilities() capabilities: readonly Capability[],
    @Param('organizationId') organizationId: string,
    @Body() { operatorId, projectRef, ...grant }: GiveMembershipBody,
  ): Promise<MembershipView> {
    const giver: Giver = { actor, capabilities };
    return this.deps.controlPlane.dataSource.transaction((manager) =>
      grantMembership(manager, giver, { organizationId, operatorId, projectRef, grant }),
    );
  }
}
