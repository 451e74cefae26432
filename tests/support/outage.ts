import type { ServerResponse } from 'node:http';

type Trouble<Part> =
  | { readonly kind: 'hang'; readonly part: Part | undefined }
  | { readonly kind: 'fail'; readonly part: Part | undefined; readonly status: number };

/** The time in which a server, or one part of it, hangs or fails. */
export class Outage<Part> {
  #trouble: Trouble<Part> | undefined;
  readonly #hanging = new Set<() => void>();

  /** Begins, in place of the one that goes on. */
  begin(trouble: Trouble<Part>): void {
    this.end();
    this.#trouble = trouble;
  }

  /** Ends; requests that hang go on. */
  end(): void {
    this.#trouble = undefined;
    this.#hanging.forEach((goOn) => goOn());
    this.#hanging.clear();
  }

  /** What becomes of a request to `part`: it was answered with the failure, or it `passes`, perhaps late. */
  async strikes(part: Part | undefined, response: ServerResponse): Promise<'answered' | 'passes'> {
    const trouble = this.#trouble;
    if (trouble === undefined || (trouble.part !== undefined && trouble.part !== part))
      return 'passes';
    if (trouble.kind === 'fail') {
      response.writeHead(trouble.status).end();
      return 'answered';
    }
    await new Promise<void>((resolve) => this.#hanging.add(resolve));
    return 'passes';
  }
}
