// Has PostgreSQL parse, analyse and plan a statement without running it: what PREPARE and the first EXECUTE do,
// and over the same messages as the API sends.
import type pg from 'pg';

/** The part of pg's connection that is used; its types leave out what the messages hold. */
interface Messages {
  parse(query: { readonly text: string; readonly types: readonly number[] }): void;
  bind(portal: { readonly values: readonly null[] }): void;
  sync(): void;
}

/** One exchange as pg's client runs it: it calls one of the two methods when the exchange ends. */
class Preparation {
  /** Undefined when the statement is fine. */
  readonly error: Promise<pg.DatabaseError | undefined>;
  #settle: (error: pg.DatabaseError | undefined) => void = () => undefined;

  constructor(
    private readonly text: string,
    private readonly parameters: number,
  ) {
    this.error = new Promise((resolve) => (this.#settle = resolve));
  }

  submit(connection: pg.Connection): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the types of pg leave these methods out
    const messages = connection as unknown as Messages;
    messages.parse({ text: this.text, types: [] });
    messages.bind({ values: Array<null>(this.parameters).fill(null) });
    messages.sync();
  }

  handleError(error: pg.DatabaseError): void {
    this.#settle(error);
  }

  handleReadyForQuery(): void {
    this.#settle(undefined);
  }
}

/** The error that PostgreSQL finds in a statement; undefined when there is none. */
export function prepareError(
  client: pg.Client,
  { text, values }: { readonly text: string; readonly values: readonly unknown[] },
): Promise<pg.DatabaseError | undefined> {
  return client.query(new Preparation(text, values.length)).error;
}
