import {
  type KeyView,
  listKeys,
  type ProjectKeyKind,
  projectsContext,
  type ProjectsContext,
  rotateKey,
} from '#libs/control-plane';
import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';
import { CurrentOperator } from '../http/current-operator.js';
import { RotateKeyBody } from './projects.dto.js';

@ApiTags('projects')
@Controller('platform/projects/:ref/keys')
export class ProjectKeysController {
  readonly #context: ProjectsContext;

  constructor(deps: ConsoleDeps) {
    this.#context = projectsContext(deps.controlPlane, deps.publish);
  }

  @Get()
  @Access({ kind: 'capability', capability: 'secrets.manage', scope: 'project' })
  async list(@Param('ref') ref: string): Promise<{ keys: KeyView[] }> {
    return { keys: await listKeys(this.#context, ref) };
  }

  @Post('rotate')
  @Access({ kind: 'capability', capability: 'secrets.manage', scope: 'project' })
  async rotate(
    @CurrentOperator() operator: CurrentOperator,
    @Param('ref') ref: string,
    @Body() { kind }: RotateKeyBody,
  ): Promise<{ kind: ProjectKeyKind; key: string }> {
    return { kind, key: await rotateKey(this.#context, operator, { ref, kind }) };
  }
}
