import {
  assertConfirmed,
  createProject,
  deleteProject,
  getProject,
  listProjects,
  organizationForProject,
  projectCondition,
  type ProjectCondition,
  projectsContext,
  type ProjectsContext,
  RemovalRunner,
  renameProject,
  restoreProject,
  scheduleDeletion,
  setProjectStatus,
} from '#libs/control-plane';
import type { Capability } from '#libs/wire';
import {
  type BeforeApplicationShutdown,
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from '../http/access.js';
import { ConsoleDeps } from '../http/console-deps.js';
import { CurrentOperator, ProjectCapabilities } from '../http/current-operator.js';
import {
  type AddressedProject,
  newProjectView,
  type NewProjectView,
  type ProjectDetails,
} from './project-views.js';
import {
  ConfirmRef,
  CreateProjectBody,
  DeleteProjectQuery,
  ListProjectsQuery,
  RenameProjectBody,
} from './projects.dto.js';

/** How long the answer to a deletion waits for the removal; milliseconds. Many proxies give up after a minute. */
const maxWaitMs = 30_000;

@ApiTags('projects')
@Controller('platform/projects')
export class ProjectsController implements BeforeApplicationShutdown {
  readonly #context: ProjectsContext;
  readonly #removals: RemovalRunner;

  constructor(private readonly deps: ConsoleDeps) {
    this.#context = projectsContext(deps.controlPlane, deps.publish);
    this.#removals = new RemovalRunner({
      maxWaitMs,
      onLateFailure: (ref, err) =>
        deps.log.error({ kind: 'delete', ref, err }, 'work on a project failed; it is tried again'),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.#removals.close();
  }

  @Post()
  @Access({ kind: 'operator' })
  async create(
    @CurrentOperator() operator: CurrentOperator,
    @Body() body: CreateProjectBody,
  ): Promise<NewProjectView> {
    const { dataSource } = this.#context;
    const own = await organizationForProject(dataSource, operator, body.organizationId);
    const { organizationId, capabilities } = own;
    const created = await createProject(this.#context, operator, {
      ...body,
      organizationId,
    });
    return newProjectView(created, this.deps.projectUrl(created.ref), capabilities);
  }

  @Get()
  @Access({ kind: 'operator' })
  async list(
    @CurrentOperator() operator: CurrentOperator,
    @Query() query: ListProjectsQuery,
  ): Promise<{ projects: AddressedProject[]; next: string | null }> {
    const { projects, next } = await listProjects(this.#context.dataSource, operator, query);
    const addressed = projects.map((project) => ({
      ...project,
      url: this.deps.projectUrl(project.ref),
    }));
    return { projects: addressed, next };
  }

  @Get(':ref')
  @Access({ kind: 'capability', capability: 'content.read', scope: 'project' })
  async get(
    @Param('ref') ref: string,
    @ProjectCapabilities() capabilities: readonly Capability[],
  ): Promise<ProjectDetails> {
    const project = await getProject(this.#context.dataSource, ref);
    const { deletedProjectDays } = this.deps;
    const url = this.deps.projectUrl(ref);
    const studioUrl = this.deps.studioUrl(ref) ?? null;
    return { ...project, url, capabilities, deletedProjectDays, studioUrl };
  }

  @Patch(':ref')
  @Access({ kind: 'capability', capability: 'projects.manage', scope: 'project' })
  async rename(
    @CurrentOperator() operator: CurrentOperator,
    @Param('ref') ref: string,
    @Body() { name }: RenameProjectBody,
  ): Promise<AddressedProject> {
    await renameProject(this.#context, operator, { ref, name });
    return this.#view(ref);
  }

  @Delete(':ref')
  @HttpCode(204)
  @Access({ kind: 'capability', capability: 'projects.manage', scope: 'project' })
  async delete(
    @CurrentOperator() operator: CurrentOperator,
    @Param('ref') ref: string,
    @Body() body: ConfirmRef,
    @Query() query: DeleteProjectQuery,
  ): Promise<void> {
    assertConfirmed(ref, body.ref ?? query.ref);
    const days = query.now === 'true' ? 0 : this.deps.deletedProjectDays;
    if (days === 0) await deleteProject(this.#context, operator, ref, this.#removals);
    else await scheduleDeletion(this.#context, operator, { ref, days }, this.#removals);
  }

  @Post(':ref/restore')
  @HttpCode(200)
  @Access({ kind: 'capability', capability: 'projects.manage', scope: 'project' })
  async restore(
    @CurrentOperator() operator: CurrentOperator,
    @Param('ref') ref: string,
  ): Promise<AddressedProject> {
    await restoreProject(this.#context, operator, ref);
    return this.#view(ref);
  }

  @Post(':ref/pause')
  @HttpCode(200)
  @Access({ kind: 'capability', capability: 'projects.manage', scope: 'project' })
  async pause(
    @CurrentOperator() operator: CurrentOperator,
    @Param('ref') ref: string,
  ): Promise<AddressedProject> {
    await setProjectStatus(this.#context, operator, { ref, status: 'paused' });
    return this.#view(ref);
  }

  @Post(':ref/resume')
  @HttpCode(200)
  @Access({ kind: 'capability', capability: 'projects.manage', scope: 'project' })
  async resume(
    @CurrentOperator() operator: CurrentOperator,
    @Param('ref') ref: string,
  ): Promise<AddressedProject> {
    await setProjectStatus(this.#context, operator, { ref, status: 'active' });
    return this.#view(ref);
  }

  @Get(':ref/status')
  @Access({ kind: 'capability', capability: 'content.read', scope: 'project' })
  status(@Param('ref') ref: string): Promise<ProjectCondition> {
    return projectCondition(this.#context, ref);
  }

  async #view(ref: string): Promise<AddressedProject> {
    const project = await getProject(this.#context.dataSource, ref);
    return { ...project, url: this.deps.projectUrl(ref) };
  }
}
