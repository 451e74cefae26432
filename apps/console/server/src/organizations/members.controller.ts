import {
  addMember,
  changeMember,
  type Giver,
  listMembers,
  type MemberView,
  removeMember,
} from '#libs/control-plane';
import type { Capability } from '#libs/wire';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';
import { CurrentOperator, ProjectCapabilities } from '../http/current-operator.js';
import { AddMemberBody, GrantBody } from './organizations.dto.js';

@ApiTags('organizations')
@Controller('platform/organizations/:organizationId/members')
export class MembersController {
  constructor(private readonly deps: ConsoleDeps) {}

  @Get()
  @Access({ kind: 'capability', capability: 'members.manage', scope: 'organization' })
  async list(@Param('organizationId') organizationId: string): Promise<{ members: MemberView[] }> {
    return { members: await listMembers(this.deps.controlPlane.dataSource, organizationId) };
  }

  @Post()
  @Access({ kind: 'capability', capability: 'members.manage', scope: 'organization' })
  async add(
    @CurrentOperator() actor: CurrentOperator,
    @ProjectCapabilities() capabilities: readonly Capability[],
    @Param('organizationId') organizationId: string,
    @Body() { email, projectRef, ...grant }: AddMemberBody,
  ): Promise<{ id: string }> {
    const giver: Giver = { actor, capabilities };
    const id = await this.deps.controlPlane.dataSource.transaction((manager) =>
      addMember(manager, giver, { organizationId, email, projectRef, grant }),
    );
    return { id };
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
