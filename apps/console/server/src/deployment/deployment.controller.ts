import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';
import type { EnvironmentVariable } from '../http/deployment-facts.js';
import { type DeploymentView, readDeployment } from './read-deployment.js';

@ApiTags('deployment')
@Controller('platform/deployment')
export class DeploymentController {
  constructor(private readonly deps: ConsoleDeps) {}

  @Get()
  @Access({ kind: 'deployment-admin' })
  read(): Promise<DeploymentView> {
    return readDeployment(this.deps);
  }

  /** The variables of the process that answers. Values of secrets never leave it. */
  @Get('environment')
  @Access({ kind: 'deployment-admin' })
  environment(): { readonly variables: readonly EnvironmentVariable[] } {
    return { variables: this.deps.deployment.variables };
  }
}
