/** Whether the client of a request has disconnected. The signal is created on first use: few requests need one. */
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
