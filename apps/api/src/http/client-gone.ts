/** Whether the client of a request has disconnected, and what it has cost the database. The signal is created on first use: few requests need one. */
export class ClientGone {
  private controller: AbortController | undefined;
  private releases: (() => void)[] | undefined;
  private hasEnded = false;
  private databaseTime: number | undefined;

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    return this.controller.signal;
  }

  /** How long the database was busy with statements for tables, functions and files; milliseconds. Undefined without any. */
  get databaseMs(): number | undefined {
    return this.databaseTime;
  }

  noteDatabaseTime(ms: number): void {
    this.databaseTime = (this.databaseTime ?? 0) + ms;
  }

  abort(): void {
    this.controller?.abort();
  }

  /** Calls `release` when the request ends; at once if it has ended. */
  onEnd(release: () => void): void {
    if (this.hasEnded) release();
    else (this.releases ??= []).push(release);
  }

  /** Releases resources of the request: it was answered, or its client has disconnected. */
  end(): void {
    this.hasEnded = true;
    for (const release of this.releases?.splice(0) ?? []) release();
  }
}
