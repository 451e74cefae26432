import {
  addDomain,
  checkDns,
  type CheckedDomain,
  type DnsReport,
  type DomainView,
  listDomains,
  parseCustomDomain,
  projectsContext,
  type ProjectsContext,
  removeDomain,
  verifyDomain,
  vouchForDomain,
} from '#libs/control-plane';
import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';
import { CurrentOperator } from '../http/current-operator.js';
import { AddDomainBody } from './projects.dto.js';

/** A look-up sends several questions to name servers. The page of a project with 50 domains makes 51 a minute. */
const lookUpsPerMinute = 60;

@ApiTags('projects')
@Controller('platform/projects/:ref/domains')
export class ProjectDomainsController {
  readonly #context: ProjectsContext;

  constructor(private readonly deps: ConsoleDeps) {
    this.#context = projectsContext(deps.controlPlane, deps.publish);
  }

  @Get()
  @Access({ kind: 'capability', capability: 'content.read', scope: 'project' })
  async list(@Param('ref') ref: string): Promise<{ domains: DomainView[] }> {
    return { domains: await listDomains(this.#context, ref) };
  }

  @Post()
  @Access({ kind: 'capability', capability: 'projects.manage', scope: 'project' })
  add(
    @CurrentOperator() operator: CurrentOperator,
    @Param('ref') ref: string,
    @Body() body: AddDomainBody,
  ): Promise<DomainView> {
    const domain = parseCustomDomain(body.domain, this.deps.rootDomain);
    return addDomain(this.#context, operator, { ref, domain });
  }

  /** Looks the TXT record of the claim up now. The answer contains the record, or the records found instead. */
  @Post(':domain/verify')
  @HttpCode(200)
  @Access({ kind: 'capability', capability: 'projects.manage', scope: 'project' })
  verify(
    @CurrentOperator() operator: CurrentOperator,
    @Param('ref') ref: string,
    @Param('domain') named: string,
  ): Promise<CheckedDomain> {
    const { readTxt } = this.deps;
    return verifyDomain(this.#context, operator, { ref, domain: named.toLowerCase(), readTxt });
  }

  /** Compares what the name servers say of a domain, or of the host name of the project, with what they should say. */
  @Get(':domain/dns')
  @Access(
    { kind: 'capability', capability: 'content.read', scope: 'project' },
    { usesPerMinute: lookUpsPerMinute },
  )
  dns(@Param('ref') ref: string, @Param('domain') named: string): Promise<DnsReport> {
    const { readHost, readTxt, projectUrl } = this.deps;
    const ownHost = new URL(projectUrl(ref)).hostname;
    return checkDns(this.#context, {
      ref,
      domain: named.toLowerCase(),
      ownHost,
      readHost,
      readTxt,
    });
  }

  /** Serves the domain without a TXT record, on the word of an administrator of the deployment. */
  @Post(':domain/vouch')
  @HttpCode(200)
  @Access({ kind: 'deployment-admin' })
  vouch(
    @CurrentOperator() operator: CurrentOperator,
    @Param('ref') ref: string,
    @Param('domain') named: string,
  ): Promise<DomainView> {
    return vouchForDomain(this.#context, operator, { ref, domain: named.toLowerCase() });
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
