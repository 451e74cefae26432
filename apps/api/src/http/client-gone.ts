/** Whether the client of a request has gone away. Its signal is made when somebody asks for it: few do. */
export class ClientGone {
  private controller: AbortController | undefined;
  private releases: (() => void)[] | undefined;
  private hasEnded = false;

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    return this.controller.signal;
  }

  leave(): void {
    this.controller?.abort();
  }

  /** Calls `release` when the request ends; at once when it has ended. */
  onEnd(release: () => void): void {
    if (this.hasEnded) release();
    else (this.releases ??= []).push(release);
  }

  /** Gives back what was kept for the request: it was answered, or its client has gone. */
  end(): void {
    this.hasEnded = true;
    for (const release of this.releases?.splice(0) ?? []) release();
  }
}
