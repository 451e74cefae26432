import { setMaxListeners } from 'node:events';

import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';

import { type ApiDeps, apiDepsToken } from '../../http/api-deps.js';

/** Uploads under way, as the server sees them when it stops. */
@Injectable()
export class RunningUploads implements OnModuleDestroy {
  private readonly allEnd = new AbortController();
  private readonly resumableEnd = new AbortController();

  constructor(@Inject(apiDepsToken) { drain }: ApiDeps) {
    // One for each upload.
    setMaxListeners(0, this.ending, this.endingResumable);
    drain?.begun.addEventListener('abort', () => this.resumableEnd.abort(), { once: true });
    drain?.over.addEventListener('abort', () => this.allEnd.abort(), { once: true });
  }

  /** Aborts when the server waits for no sender any more. */
  get ending(): AbortSignal {
    return this.allEnd.signal;
  }

  /** Aborts when the server begins to stop: these uploads keep what has come, and go on with another request. */
  get endingResumable(): AbortSignal {
    return this.resumableEnd.signal;
  }

  onModuleDestroy(): void {
    this.resumableEnd.abort();
    this.allEnd.abort();
  }
}
