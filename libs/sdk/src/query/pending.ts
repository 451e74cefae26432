import type { Answer, Success } from '../answer.js';
import { Modifiers } from './modifiers.js';
import { type RequestDraft, sendDraft } from './draft.js';

/** One row of a list; any other type unchanged. */
export type RowOf<Data> = Data extends readonly (infer Row)[] ? Row : Data;

type Merged<Old, New> = Omit<Old, keyof New> & New;
/** The type of a result after `overrideTypes`: merged into each row, or replacing it. */
export type Overridden<Data, New, Merges extends boolean> = Merges extends false
  ? New
  : Data extends readonly (infer Row)[]
    ? Merged<Row, RowOf<New>>[]
    : Merged<Data, New>;

/**
 * A request that is sent when it is awaited, once for each time. It resolves with a result whether it succeeds or
 * fails, unless `throwOnError` was called.
 */
export class PendingQuery<Row, Data, Throws extends boolean = false>
  extends Modifiers<Row>
  implements PromiseLike<Throws extends true ? Success<Data> : Answer<Data>>
{
  protected readonly draft: RequestDraft;

  /** @internal Created by the client. */
  constructor(draft: RequestDraft) {
    super(draft);
    this.draft = draft;
  }

  /** Sends the request. Called by `await`. */
  // oxlint-disable-next-line unicorn/no-thenable -- a query is awaited directly
  then<Value = Throws extends true ? Success<Data> : Answer<Data>, Other = never>(
    onFulfilled?:
      | ((answer: Throws extends true ? Success<Data> : Answer<Data>) => Value | PromiseLike<Value>)
      | null,
    onRejected?: ((error: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<Value | Other> {
    // The server answers in the types of the builder; they are not checked again here.
    const sent = sendDraft(this.draft) as Promise<
      Throws extends true ? Success<Data> : Answer<Data>
    >;
    return sent.then(onFulfilled, onRejected);
  }

  /** Makes a failure reject with a RowhouseError instead of being the result. */
  throwOnError(): PendingQuery<Row, Data, true> {
    this.draft.rejects = true;
    return new PendingQuery(this.draft);
  }

  /** Aborts the request with the signal, e.g. `AbortSignal.timeout(5000)`. */
  abortSignal(signal: AbortSignal): this {
    this.draft.signal = signal;
    return this;
  }

  /** Whether a read is retried after a network failure, a 503 or a 520. Default true. Writes never are. */
  retry(isEnabled: boolean): this {
    this.draft.retries = isEnabled;
    return this;
  }

  /** Sets a header of this request; overrides the client's header. */
  setHeader(name: string, value: string): this {
    this.draft.headers[name.toLowerCase()] = value;
    return this;
  }

  /** Refuses the write, and writes nothing, if it would change more rows. */
  maxAffected(rows: number): this {
    this.draft.prefer.set('handling', 'strict').set('max-affected', String(rows));
    return this;
  }

  /** Runs the write, returns its result, and rolls it back. */
  rollback(): this {
    this.draft.prefer.set('tx', 'rollback');
    return this;
  }

  /** Leaves fields that are NULL out of the rows. */
  stripNulls(): this {
    this.draft.leavesNullsOut = true;
    return this;
  }

  /** Declares the type of the data. It is not checked. */
  returns<New>(): PendingQuery<Row, New, Throws> {
    return new PendingQuery(this.draft);
  }

  /**
   * Declares the type of some columns; with `{ merge: false }` as the second type argument, of the whole data. It is
   * not checked.
   */
  overrideTypes<New, Options extends { merge?: boolean } = { merge: true }>(): PendingQuery<
    Row,
    Overridden<Data, New, Options['merge'] extends false ? false : true>,
    Throws
  > {
    return new PendingQuery(this.draft);
  }
}
