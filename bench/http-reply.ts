// Reads replies from a keep-alive socket with as little CPU as can be: the body is counted, never
// kept. It must not grow into an HTTP client: a reply without content-length is refused.

const HEAD_END = Buffer.from('\r\n\r\n', 'latin1');
const NOTHING = Buffer.alloc(0);

export class ReplyReader {
  /** Status of the reply that was completed last. */
  status = 0;
  #head: Buffer = NOTHING;
  #bodyLeft = 0;

  /**
   * Takes the next bytes of the socket and says whether they complete a reply.
   * Throws when the server sends more than one reply, or one whose length is not declared.
   */
  feed(chunk: Buffer): boolean {
    if (this.#bodyLeft > 0) return this.#takeBody(chunk.length);
    const bytes = this.#head.length === 0 ? chunk : Buffer.concat([this.#head, chunk]);
    const end = bytes.indexOf(HEAD_END);
    if (end === -1) {
      this.#head = bytes;
      return false;
    }
    this.#head = NOTHING;
    this.#readHead(bytes.toString('latin1', 0, end));
    return this.#takeBody(bytes.length - end - HEAD_END.length);
  }

  #readHead(head: string): void {
    this.status = Number(head.slice(9, 12));
    const match = /\r\ncontent-length: *(\d+)/i.exec(head);
    if (match === null && this.status !== 204 && this.status !== 304) {
      throw new Error(`A reply of status ${String(this.status)} does not declare its length`);
    }
    this.#bodyLeft = match === null ? 0 : Number(match[1]);
  }

  #takeBody(length: number): boolean {
    this.#bodyLeft -= length;
    if (this.#bodyLeft < 0) throw new Error('The server sent more than its reply');
    return this.#bodyLeft === 0;
  }
}
