import { type AuditEntry, getProject, listAudit } from '#libs/control-plane';
import type { Capability } from '#libs/wire';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';
import { ProjectCapabilities } from '../http/current-operator.js';
import { AuditQuery, ProjectAuditQuery } from './audit.dto.js';
import { shownTo } from './shown-values.js';

/** The newest entries first; `next` is null on the last page. */
interface AuditPage {
  readonly entries: AuditEntry[];
  readonly next: string | null;
}

@ApiTags('audit')
@Controller('platform')
export class AuditController {
  constructor(private readonly deps: ConsoleDeps) {}

  @Get('audit')
  @Access({ kind: 'deployment-admin' })
  all(@Query() query: AuditQuery): Promise<AuditPage> {
    return listAudit(this.deps.controlPlane.dataSource, query);
  }

  @Get('organizations/:organizationId/audit')
  @Access({ kind: 'capability', capability: 'audit.read', scope: 'organization' })
  async ofOrganization(
    @ProjectCapabilities() capabilities: readonly Capability[],
    @Param('organizationId') organizationId: string,
    @Query() query: AuditQuery,
  ): Promise<AuditPage> {
    const { dataSource } = this.deps.controlPlane;
    return shownTo(capabilities, await listAudit(dataSource, { ...query, organizationId }));
  }

  @Get('projects/:ref/audit')
  @Access({ kind: 'capability', capability: 'audit.read', scope: 'project' })
  async ofProject(
    @ProjectCapabilities() capabilities: readonly Capability[],
    @Param('ref') ref: string,
    @Query() query: ProjectAuditQuery,
  ): Promise<AuditPage> {
    const { dataSource } = this.deps.controlPlane;
    // Entries of another organization's earlier project with the same ref are not shown.
    const { organizationId } = await getProject(dataSource, ref);
    return shownTo(capabilities, await listAudit(dataSource, { ...query, ref, organizationId }));
  }
}
