import { Body, Controller, Delete, Get, Header, HttpCode, Param, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';

import type { ProjectRuntime } from '#libs/project-runtime';

import { Access } from '../../http/access.js';
import { Project } from '../../http/decorators.js';
import { PageQuery } from '../../http/page-query.js';
import { type Administrator, CurrentAdministrator } from './administrator.js';
import { cancelInvitation, type InvitationPage, readInvitations } from './invitations.js';
import { ListOrganizationsQuery, SetMemberBody } from './organizations.dto.js';
import {
  type MemberPage,
  type OrganizationPage,
  readMembers,
  readOrganizations,
  removeMember,
  setMember,
} from './organizations.js';
import type { ListedMember } from './organizations.sql.js';

/** The organizations of a project's users. */
@ApiTags('admin')
@Controller(['api/admin/organizations', 'admin/organizations'])
export class AdminOrganizationsController {
  @Get()
  @Access('admin', 'secrets.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'A page of the organizations that match, with their numbers of owners' })
  list(
    @Project() project: ProjectRuntime,
    @Query() query: ListOrganizationsQuery,
  ): Promise<OrganizationPage> {
    return readOrganizations(project, query);
  }

  @Get(':id/members')
  @Access('admin', 'secrets.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'An organization with a page of its members' })
  members(
    @Project() project: ProjectRuntime,
    @Param('id') id: string,
    @Query() query: PageQuery,
  ): Promise<MemberPage> {
    return readMembers(project, id, query);
  }

  @Put(':id/members/:userId')
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Give a user a role in an organization, such as that of its owner' })
  setMember(
    @Project() project: ProjectRuntime,
    @CurrentAdministrator() administrator: Administrator,
    @Param('id') organizationId: string,
    @Param('userId') userId: string,
    @Body() { role }: SetMemberBody,
  ): Promise<{ readonly member: ListedMember }> {
    return setMember(project, administrator, { organizationId, userId, role });
  }

  @Delete(':id/members/:userId')
  @HttpCode(204)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Take a user out of an organization' })
  removeMember(
    @Project() project: ProjectRuntime,
    @CurrentAdministrator() administrator: Administrator,
    @Param('id') organizationId: string,
    @Param('userId') userId: string,
  ): Promise<void> {
    return removeMember(project, administrator, { organizationId, userId });
  }

  @Get(':id/invitations')
  @Access('admin', 'secrets.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'A page of the pending invitations to an organization' })
  invitations(
    @Project() project: ProjectRuntime,
    @Param('id') id: string,
    @Query() query: PageQuery,
  ): Promise<InvitationPage> {
    return readInvitations(project, id, query);
  }

  @Delete(':id/invitations/:invitationId')
  @HttpCode(204)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Cancel a pending invitation to an organization' })
  cancelInvitation(
    @Project() project: ProjectRuntime,
    @CurrentAdministrator() administrator: Administrator,
    @Param('id') organizationId: string,
    @Param('invitationId') invitationId: string,
  ): Promise<void> {
    return cancelInvitation(project, administrator, { organizationId, invitationId });
  }
}
