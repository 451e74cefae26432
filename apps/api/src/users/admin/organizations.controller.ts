import { Body, Controller, Get, Header, Param, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';

import type { ProjectRuntime } from '#libs/project-runtime';

import { Access } from '../../http/access.js';
import { Project } from '../../http/decorators.js';
import { type Administrator, CurrentAdministrator } from './administrator.js';
import { ListOrganizationsQuery, PageQuery, SetMemberBody } from './organizations.dto.js';
import {
  type MemberPage,
  type OrganizationPage,
  readMembers,
  readOrganizations,
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
}
