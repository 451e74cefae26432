import {
  createKey,
  type KeyView,
  listKeys,
  type NewKey,
  projectsContext,
  type ProjectsContext,
  revokeKey,
  rotateKey,
} from '#libs/control-plane';
import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';
import { CurrentOperator } from '../http/current-operator.js';
import { CreateKeyBody, RotateKeyBody } from './projects.dto.js';

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
  rotate(
    @CurrentOperator() operator: CurrentOperator,
    @Param('ref') ref: string,
    @Body() { kind, expiresInSeconds }: RotateKeyBody,
  ): Promise<NewKey> {
    return rotateKey(this.#context, operator, { ref, kind, expiresInSeconds });
  }

  /** Adds a key beside the others. It is shown once. */
  @Post()
  @Access({ kind: 'capability', capability: 'secrets.manage', scope: 'project' })
  create(
    @CurrentOperator() operator: CurrentOperator,
    @Param('ref') ref: string,
    @Body() { kind }: CreateKeyBody,
  ): Promise<NewKey> {
    return createKey(this.#context, operator, { ref, kind });
  }

  /** Ends a key at once. The last key of a kind without an end stays. */
  @Delete(':id')
  @HttpCode(204)
  @Access({ kind: 'capability', capability: 'secrets.manage', scope: 'project' })
  revoke(
    @CurrentOperator() operator: CurrentOperator,
    @Param('ref') ref: string,
    @Param('id') id: string,
  ): Promise<void> {
    return revokeKey(this.#context, operator, { ref, id });
  }
}
