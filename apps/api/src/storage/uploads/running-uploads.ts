import { setMaxListeners } from 'node:events';

import { Injectable, type OnModuleDestroy } from '@nestjs/common';

/** Uploads under way, as the server sees them when it stops: it does not wait for their senders. */
@Injectable()
export class RunningUploads implements OnModuleDestroy {
  private readonly controller = new AbortController();

  constructor() {
    // One for each upload.
    setMaxListeners(0, this.controller.signal);
  }

  /** Aborts when the server stops. */
  get ending(): AbortSignal {
    return this.controller.signal;
  }

  onModuleDestroy(): void {
    this.controller.abort();
  }
}
