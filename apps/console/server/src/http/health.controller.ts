import { fail } from '#libs/errors';
import { Controller, Get, Redirect } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import { Access } from './access.js';
import { ConsoleDeps } from './console-deps.js';

@ApiTags('server')
@Controller()
export class HealthController {
  constructor(private readonly deps: ConsoleDeps) {}

  /** The documentation is shown here until there is a web console. */
  @Get()
  @ApiExcludeEndpoint()
  @Access({ kind: 'public' })
  @Redirect('/docs', 302)
  root(): void {}

  @Get('livez')
  @Access({ kind: 'public' }, { isProbe: true })
  live(): { readonly status: 'ok' } {
    return { status: 'ok' };
  }

  /** Ready as long as the control-plane database answers and the process is not ending. */
  @Get('readyz')
  @Access({ kind: 'public' }, { isProbe: true })
  async ready(): Promise<{ readonly status: 'ok' }> {
    if (this.deps.drain?.isAnnounced === true) throw fail('SHUTTING_DOWN');
    await this.deps.controlPlane.dataSource.query('select 1');
    return { status: 'ok' };
  }
}
