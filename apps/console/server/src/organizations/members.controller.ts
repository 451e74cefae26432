import {
  changeMember,
  type Giver,
  listMembers,
  type MemberView,
  removeMember,
} from '#libs/control-plane';
import type { Capability } from '#libs/wire';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiTags } from '@nestjs/swagger';
import { Access } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';
import { CurrentOperator, ProjectCapabilities } from '../http/current-operator.js';
import { AfterQuery } from '../http/page-query.js';
import { NewInvitationReply, sendInvitation } from '../operators/index.js';
import { AddMemberBody, GrantBody } from './organizations.dto.js';

/** By email address; `next` is null on the last page. */
interface MembersPage {
  readonly members: readonly MemberView[];
  readonly next: string | null;
}

@ApiTags('organizations')
@Controller('platform/organizations/:organizationId/members')
export class MembersController {
  constructor(private readonly deps: ConsoleDeps) {}

  @Get()
  @Access({ kind: 'capability', capability: 'members.manage', scope: 'organization' })
  async list(
    @Param('organizationId') organizationId: string,
    @Query() query: AfterQuery,
  ): Promise<MembersPage> {
    const { dataSource } = this.deps.controlPlane;
    const { rows, next } = await listMembers(dataSource, organizationId, query);
    return { members: rows, next };
  }

  /** Invites a person, operator or not: the answer does not reveal which. */
  @Post()
  @Access({ kind: 'capability', capability: 'members.manage', scope: 'organization' })
  @ApiCreatedResponse({ type: NewInvitationReply })
  add(
    @CurrentOperator() actor: CurrentOperator,
    @ProjectCapabilities() capabilities: readonly Capability[],
    @Param('organizationId') organizationId: string,
    @Body() { email, projectRef, ...grant }: AddMemberBody,
  ): Promise<NewInvitationReply> {
    const inviter = { actor, capabilities };
    return sendInvitation(this.deps, inviter, { email, organizationId, projectRef, grant });
  }

  @Patch(':membershipId')
  @HttpCode(204)
  @Access({ kind: 'capability', capability: 'members.manage', scope: 'organization' })
  async change(
    @CurrentOperator() actor: CurrentOperator,
    @ProjectCapabilities() capabilities: readonly Capability[],
    @Param() { organizationId, membershipId }: MembershipPath,
    @Body() grant: GrantBody,
  ): Promise<void> {
    const giver: Giver = { actor, capabilities };
    await this.deps.controlPlane.dataSource.transaction((manager) =>
      changeMember(manager, giver, { organizationId, membershipId, grant }),
    );
  }

  @Delete(':membershipId')
  @HttpCode(204)
  @Access({ kind: 'capability', capability: 'members.manage', scope: 'organization' })
  async remove(
    @CurrentOperator() actor: CurrentOperator,
    @ProjectCapabilities() capabilities: readonly Capability[],
    @Param() { organizationId, membershipId }: MembershipPath,
  ): Promise<void> {
    const giver: Giver = { actor, capabilities };
    await this.deps.controlPlane.dataSource.transaction((manager) =>
      removeMember(manager, giver, { organizationId, membershipId }),
    );
  }
}

interface MembershipPath {
  readonly organizationId: string;
  readonly membershipId: string;
}
