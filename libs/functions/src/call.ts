import { AppError, fail } from '#libs/errors';

import type { FunctionInvocation, FunctionRequest, FunctionVersion } from './types.js';
import type { Usage } from './usage.js';

export interface CallPorts {
  readonly now: () => number;
  readonly onInvocation: (invocation: FunctionInvocation) => void;
}

/** One request to a function, from its arrival to the end of its answer: its deadline and its record. */
export class Call {
  /** Aborts with FUNCTION_TIMEOUT at the deadline, and with REQUEST_ABORTED when the client has left. */
  readonly signal: AbortSignal;
  isColdStart = false;
  readonly #begunAt = performance.now();
  readonly #at: Date;
  readonly #abort = new AbortController();
  readonly #deadline: NodeJS.Timeout;
  #cpuMs: number | undefined;

  constructor(
    private readonly version: FunctionVersion,
    private readonly request: FunctionRequest,
    timeoutSeconds: number,
    private readonly ports: CallPorts,
  ) {
    this.signal = this.#abort.signal;
    this.#at = new Date(ports.now());
    this.#deadline = setTimeout(() => {
      this.#abort.abort(fail('FUNCTION_TIMEOUT', { slug: version.slug }));
    }, timeoutSeconds * 1000);
    if (request.signal.aborted) this.#leave();
    request.signal.addEventListener('abort', this.#leave, { once: true });
  }

  /** The process gets the request. */
  begin(usage: Usage | undefined): void {
    this.#cpuMs = usage?.cpuMs;
  }

  /** `status` is that of the answer if it has begun, `error` why there is none or why it was cut. */
  end(status: number | undefined, error: unknown, usage: Usage | undefined): void {
    clearTimeout(this.#deadline);
    this.request.signal.removeEventListener('abort', this.#leave);
    const known = error instanceof AppError ? error : undefined;
    const { slug, version } = this.version;
    const { requestId, method, path } = this.request;
    this.ports.onInvocation({
      slug,
      version,
      requestId,
      method,
      path,
      status: status ?? known?.status ?? 500,
      ...(error !== undefined && { code: known?.code ?? 'INTERNAL_ERROR' }),
      durationMs: Math.round(performance.now() - this.#begunAt),
      cpuMs: Math.max(0, (usage?.cpuMs ?? 0) - (this.#cpuMs ?? usage?.cpuMs ?? 0)),
      memoryKb: usage?.memoryKb ?? 0,
      isColdStart: this.isColdStart,
      at: this.#at,
    });
  }

  readonly #leave = (): void => {
    this.#abort.abort(fail('REQUEST_ABORTED'));
  };
}
