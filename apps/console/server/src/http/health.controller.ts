import { fail } from '#libs/errors';
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access } from './access.js';
import { ConsoleDeps } from './console-deps.js';

@ApiTags('server')
@Controller()
export class HealthController {
  constructor(private readonly deps: ConsoleDeps) {}

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
