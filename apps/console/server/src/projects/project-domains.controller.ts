import {
  addDomain,
  listDomains,
  parseCustomDomain,
  projectsContext,
  type ProjectsContext,
  removeDomain,
} from '#libs/control-plane';
import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';
import { CurrentOperator } from '../http/current-operator.js';
import { AddDomainBody } from './projects.dto.js';

@ApiTags('projects')
@Controller('platform/projects/:ref/domains')
export class ProjectDomainsController {
  readonly #context: ProjectsContext;

  constructor(private readonly deps: ConsoleDeps) {
    this.#context = projectsContext(deps.controlPlane, deps.publish);
  }

  @Get()
  @Access({ kind: 'capability', capability: 'content.read', scope: 'project' })
  async list(
    @Param('ref') ref: string,
  ): Promise<{ domains: Awaited<ReturnType<typeof listDomains>> }> {
    return { domains: await listDomains(this.#context, ref) };
  }

  @Post()
  @Access({ kind: 'capability', capability: 'projects.manage', scope: 'project' })
  async add(
    @CurrentOperator() operator: CurrentOperator,
    @Param('ref') ref: string,
    @Body() body: AddDomainBody,
  ): Promise<{ domain: string }> {
    const domain = parseCustomDomain(body.domain, this.deps.rootDomain);
    await addDomain(this.#context, operator, { ref, domain });
    return { domain };
  }

  @Delete(':domain')
  @HttpCode(204)
  @Access({ kind: 'capability', capability: 'projects.manage', scope: 'project' })
  async remove(
    @CurrentOperator() operator: CurrentOperator,
    @Param('ref') ref: string,
    @Param('domain') domain: string,
  ): Promise<void> {
    await removeDomain(this.#context, operator, { ref, domain: domain.toLowerCase() });
  }
}
