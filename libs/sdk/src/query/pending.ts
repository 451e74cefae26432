import type { Answer, Success } from '../answer.js';
import { Modifiers } from './modifiers.js';
import { type RequestDraft, sendDraft } from './draft.js';

/** One row of a list; of anything else, itself. */
export type RowOf<Data> = Data extends readonly (infer Row)[] ? Row : Data;

type Merged<Old, New> = Omit<Old, keyof New> & New;
/** The type that a result gets by `overrideTypes`: merged into each row, or in place of it. */
export type Overridden<Data, New, Merges extends boolean> = Merges extends false
  ? New
  : Data extends readonly (infer Row)[]
    ? Merged<Row, RowOf<New>>[]
    : Merged<Data, New>;

/**
 * A request that is sent when it is awaited, once for each time. It resolves with an answer whether it
 * succeeds or fails, unless `throwOnError` was called.
 */
export class PendingQuery<Row, Data, Throws extends boolean = false>
  extends Modifiers<Row>
  implements PromiseLike<Throws extends true ? Success<Data> : Answer<Data>>
{
  protected readonly draft: RequestDraft;

  /** @internal Clients make it. */
  constructor(draft: RequestDraft) {
    super(draft.params);
    this.draft = draft;
  }

  /** Sends the request. Called by `await`. */
  // oxlint-disable-next-line unicorn/no-thenable -- a query is awaited as it stands
  then<Value = Throws extends true ? Success<Data> : Answer<Data>, Other = never>(
    onFulfilled?:
      | ((answer: Throws extends true ? Success<Data> : Answer<Data>) => Value | PromiseLike<Value>)
      | null,
    onRejected?: ((error: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<Value | Other> {
    // The server answers with what the types of the builder say; nothing checks it again here.
    const sent = sendDraft(this.draft) as Promise<
      Throws extends true ? Success<Data> : Answer<Data>
    >;
    return sent.then(onFulfilled, onRejected);
  }

  /** A failure is thrown, as RowhouseError, instead of being the answer. */
  throwOnError(): PendingQuery<Row, Data, true> {
    this.draft.rejects = true;
    return new PendingQuery(this.draft);
  }

  /** Ends the request when the signal aborts, as `AbortSignal.timeout(5000)` does. */
  abortSignal(signal: AbortSignal): this {
    this.draft.signal = signal;
    return this;
  }

  /** Whether a read is sent again after a network fault, a 503 or a 520. Default true. Writes never are. */
  retry(isEnabled: boolean): this {
    this.draft.retries = isEnabled;
    return this;
  }

  /** Sets a header of this request, in place of the client's of the same name. */
  setHeader(name: string, value: string): this {
    this.draft.headers[name.toLowerCase()] = value;
    return this;
  }

  /** The write is refused, and nothing written, when it would touch more rows. */
  maxAffected(rows: number): this {
    this.draft.prefer.set('handling', 'strict').set('max-affected', String(rows));
    return this;
  }

  /** Runs the write, answers as if it had happened, and takes it back. */
  rollback(): this {
    this.draft.prefer.set('tx', 'rollback');
    return this;
  }

  /** Leaves fields that are NULL out of the rows. */
  stripNulls(): this {
    this.draft.leavesNullsOut = true;
    return this;
  }

  /** Declares the type of the data. Checked by nobody. */
  returns<New>(): PendingQuery<Row, New, Throws> {
    return new PendingQuery(this.draft);
  }

  /**
   * Declares the type of some columns; with `{ merge: false }` as the second type argument, of the whole
   * data. Checked by nobody.
   */
  overrideTypes<New, Options extends { merge?: boolean } = { merge: true }>(): PendingQuery<
    Row,
    Overridden<Data, New, Options['merge'] extends false ? false : true>,
    Throws
  > {
    return new PendingQuery(this.draft);
  }
}
