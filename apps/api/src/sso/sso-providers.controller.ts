import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Param,
  Patch,
  Post,
  Req,
} from '@nestjs/common';
import { ApiBody, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';

import type { SsoProviderView, SsoReadiness, SsoUrls } from '#libs/auth-engine';
import { auditActor, type ProjectRuntime } from '#libs/project-runtime';
import { largeJson } from '#libs/web';

import { Access } from '../http/access.js';
import { Project } from '../http/decorators.js';
import { callerOf } from '../http/request-scope.js';
import {
  ChangeSsoProviderBody,
  CreateSsoProviderBody,
  VerifyDomainsBody,
} from './sso-providers.dto.js';
import { domainIn, type ProviderManager, withProviders } from './sso-providers.js';

const managerOf = (request: FastifyRequest): ProviderManager => {
  const caller = callerOf(request);
  return { caller, actor: auditActor(caller, { ip: request.ip, requestId: request.id }) };
};

/** The SSO providers of a project and of its organizations (spec: SSO provider). */
@ApiTags('admin')
@Controller(['api/admin/sso/providers', 'admin/sso/providers'])
export class SsoProvidersController {
  @Get()
  @Access('admin', 'secrets.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'All SSO providers, without their secrets' })
  list(
    @Project() project: ProjectRuntime,
    @Req() request: FastifyRequest,
  ): Promise<{ providers: readonly SsoProviderView[] }> {
    return withProviders(project, managerOf(request), async (providers, actor) => ({
      providers: await providers.list(actor),
    }));
  }

  @Post()
  @Access('admin', 'secrets.manage', { body: largeJson })
  @ApiOperation({ summary: 'Register an SSO provider; its domains count as proven' })
  @ApiBody({ type: CreateSsoProviderBody })
  create(
    @Project() project: ProjectRuntime,
    @Req() request: FastifyRequest,
    @Body() body: unknown,
  ): Promise<SsoProviderView> {
    return withProviders(project, managerOf(request), (providers, actor) =>
      providers.register(actor, body),
    );
  }

  @Get(':providerId')
  @Access('admin', 'secrets.manage')
  @Header('cache-control', 'no-store')
  @ApiOperation({ summary: 'An SSO provider, without its secrets' })
  read(
    @Project() project: ProjectRuntime,
    @Req() request: FastifyRequest,
    @Param('providerId') providerId: string,
  ): Promise<SsoProviderView> {
    return withProviders(project, managerOf(request), (providers, actor) =>
      providers.get(actor, providerId),
    );
  }

  @Patch(':providerId')
  @Access('admin', 'secrets.manage', { body: largeJson })
  @ApiOperation({ summary: 'Change an SSO provider; what is left out stays' })
  @ApiBody({ type: ChangeSsoProviderBody })
  change(
    @Project() project: ProjectRuntime,
    @Req() request: FastifyRequest,
    @Param('providerId') providerId: string,
    @Body() body: unknown,
  ): Promise<SsoProviderView> {
    return withProviders(project, managerOf(request), (providers, actor) =>
      providers.update(actor, providerId, body),
    );
  }

  @Delete(':providerId')
  @HttpCode(204)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Delete an SSO provider; its identities can no longer sign in' })
  delete(
    @Project() project: ProjectRuntime,
    @Req() request: FastifyRequest,
    @Param('providerId') providerId: string,
  ): Promise<void> {
    return withProviders(project, managerOf(request), (providers, actor) =>
      providers.remove(actor, providerId),
    );
  }

  @Post(':providerId/verify-domains')
  @HttpCode(200)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Vouch for domains that an organization has claimed for its provider' })
  @ApiBody({ type: VerifyDomainsBody, required: false })
  verifyDomains(
    @Project() project: ProjectRuntime,
    @Req() request: FastifyRequest,
    @Param('providerId') providerId: string,
    @Body() body?: unknown,
  ): Promise<SsoProviderView> {
    return withProviders(project, managerOf(request), (providers, actor) =>
      providers.verifyDomains(actor, providerId, domainIn(body)),
    );
  }

  @Post(':providerId/test')
  @HttpCode(200)
  @Access('admin', 'secrets.manage')
  @ApiOperation({ summary: 'Whether people can sign in by the provider, and what hinders them' })
  test(
    @Project() project: ProjectRuntime,
    @Req() request: FastifyRequest,
    @Param('providerId') providerId: string,
  ): Promise<SsoReadiness> {
    return withProviders(project, managerOf(request), (providers, actor) =>
      providers.checkReadiness(actor, providerId),
    );
  }

  @Get(':providerId/urls')
  @Access('admin', 'secrets.manage')
  @ApiOperation({
    summary: 'What to register at the identity provider, before there is a provider, too',
  })
  urls(
    @Project() project: ProjectRuntime,
    @Req() request: FastifyRequest,
    @Param('providerId') providerId: string,
  ): Promise<SsoUrls> {
    return withProviders(project, managerOf(request), async (providers) =>
      providers.urlsOf(providerId),
    );
  }
}
