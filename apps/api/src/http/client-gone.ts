/** Whether the client of a request has gone away. Its signal is made when somebody asks for it: few do. */
export class ClientGone {
  private controller: AbortController | undefined;

  get signal(): AbortSignal {
    this.controller ??= new AbortController();
    return this.controller.signal;
  }

  leave(): void {
    this.controller?.abort();
  }
}
