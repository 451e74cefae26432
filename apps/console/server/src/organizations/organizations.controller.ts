import {
  createOrganization,
  deleteOrganization,
  getOrganization,
  listOrganizations,
  type OrganizationView,
  renameOrganization,
} from '#libs/control-plane';
import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';
import { CurrentOperator } from '../http/current-operator.js';
import { AfterQuery } from '../http/page-query.js';
import { CreateOrganizationBody, RenameOrganizationBody } from './organizations.dto.js';

/** By name; `next` is null on the last page. */
interface OrganizationsPage {
  readonly organizations: readonly OrganizationView[];
  readonly next: string | null;
}

@ApiTags('organizations')
@Controller('platform/organizations')
export class OrganizationsController {
  constructor(private readonly deps: ConsoleDeps) {}

  @Post()
  @Access({ kind: 'deployment-admin' })
  async create(
    @CurrentOperator() operator: CurrentOperator,
    @Body() body: CreateOrganizationBody,
  ): Promise<OrganizationView> {
    const { dataSource } = this.deps.controlPlane;
    const ownerId = operator.operatorId;
    const id = await dataSource.transaction((manager) =>
      createOrganization(manager, operator, { ...body, ownerId }),
    );
    return getOrganization(dataSource, operator, id);
  }

  @Get()
  @Access({ kind: 'operator' })
  async list(
    @CurrentOperator() operator: CurrentOperator,
    @Query() query: AfterQuery,
  ): Promise<OrganizationsPage> {
    const { dataSource } = this.deps.controlPlane;
    const { rows, next } = await listOrganizations(dataSource, operator, query);
    return { organizations: rows, next };
  }

  @Get(':organizationId')
  @Access({ kind: 'capability', capability: 'content.read', scope: 'organization' })
  get(
    @CurrentOperator() operator: CurrentOperator,
    @Param('organizationId') organizationId: string,
  ): Promise<OrganizationView> {
    return getOrganization(this.deps.controlPlane.dataSource, operator, organizationId);
  }

  @Patch(':organizationId')
  @Access({ kind: 'capability', capability: 'projects.manage', scope: 'organization' })
  async rename(
    @CurrentOperator() operator: CurrentOperator,
    @Param('organizationId') organizationId: string,
    @Body() { name }: RenameOrganizationBody,
  ): Promise<OrganizationView> {
    const { dataSource } = this.deps.controlPlane;
    await dataSource.transaction((manager) =>
      renameOrganization(manager, operator, { organizationId, name }),
    );
    return getOrganization(dataSource, operator, organizationId);
  }

  @Delete(':organizationId')
  @HttpCode(204)
  @Access({ kind: 'capability', capability: 'members.manage', scope: 'organization' })
  async delete(
    @CurrentOperator() operator: CurrentOperator,
    @Param('organizationId') organizationId: string,
  ): Promise<void> {
    await this.deps.controlPlane.dataSource.transaction((manager) =>
      deleteOrganization(manager, operator, organizationId),
    );
  }
}
