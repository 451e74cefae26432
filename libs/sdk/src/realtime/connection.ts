// The connection of a client: opened for its first channel, opened again when it is lost, closed behind the last channel.
// It shows the session of the client and follows its changes.
import { unreachable } from '../error.js';
import type { TokenSource } from '../auth/token-source.js';
import { page } from '../page.js';
import { randomPauseMs } from '../retry.js';
import { type ChangesFrame, JoinedChannel } from './joined-channel.js';
import type { Ack, Membership, Refusal, SendFrame, Subscription } from './ports.js';
import { reconnection } from './reconnection.js';
import { lostConnection } from './refusal.js';
import { prepareSocket, type Socket } from './socket.js';
import type { RealtimeOutcome, RealtimePresenceState } from './types.js';

export interface ConnectionOptions {
  /** The address of the project, without a trailing slash. */
  readonly url: string;
  /** The headers of the client by lower-case name: project key, impersonation, the authorization of an app. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where the token of the client comes from; undefined if its headers say who it is. */
  readonly session: TokenSource | undefined;
}

/** Whose rights a connection has. */
interface SentSession {
  readonly token: string | undefined;
  readonly userId: string | undefined;
}

type Phase =
  | 'closed'
  | 'opening'
  | 'open'
  /** Until the next attempt. */
  | 'waiting';

/** A connection that lasted less than this counts as a failed one. */
const shortMs = 10_000;
/** Time for the server to accept another token. */
const renewMs = 10_000;
/** The token of the connection is not valid, or not any more. */
const endedCodes: ReadonlySet<string> = new Set(['SESSION_ENDED', 'TOKEN_EXPIRED']);

export class Connection {
  readonly #options: ConnectionOptions;
  readonly #channels = new Map<string, JoinedChannel>();
  readonly #socket: Socket;
  #phase: Phase = 'closed';
  /** Names the current attempt: what belongs to others is late. */
  #attempt = 0;
  #failures = 0;
  #openedAt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #sent: SentSession = { token: undefined, userId: undefined };
  /** Why the server closes the connection. */
  #closeReason: Refusal | undefined;
  #stopWatching: (() => void) | undefined;
  /** Channels whose end the server has not acknowledged. */
  #leaving = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#socket = prepareSocket(options);
    this.#listen();
  }

  /** Joins a topic as soon as there is a connection. */
  join(subscription: Subscription): Membership {
    const channel = new JoinedChannel({
      subscription,
      send: this.#send,
      isConnected: () => this.#socket.connected,
      onLeave: (left, timeoutMs) => this.#leave(left, timeoutMs),
    });
    this.#channels.set(subscription.topic, channel);
    if (this.#phase === 'open') channel.join();
    else if (this.#phase === 'closed') this.#open();
    return channel;
  }

  #listen(): void {
    const socket = this.#socket;
    const to = (topic: string) => this.#channels.get(topic);
    socket.on('connect', () => this.#opened());
    socket.on('disconnect', (reason: string) =>
      this.#lost(this.#closeReason ?? lostConnection(reason)),
    );
    socket.on('connect_error', (error: Error & { readonly data?: Refusal }) => {
      const refusal = error.data ?? lostConnection(error.message);
      this.#socket.disconnect();
      this.#lost(refusal);
    });
    socket.on('rt:pg', (frame: ChangesFrame & { t: string }) => to(frame.t)?.changes(frame));
    socket.on('rt:msg', (frame: { t: string; event: string; payload: unknown }) =>
      to(frame.t)?.message(frame),
    );
    socket.on('rt:presence', (frame: { t: string; state: RealtimePresenceState }) =>
      to(frame.t)?.present(frame),
    );
    socket.on('rt:system', (frame: Refusal & { t?: string }) => {
      if (frame.t !== undefined) to(frame.t)?.system(frame);
      else if (frame.status === 'closed') this.#closeReason = frame;
      else if (endedCodes.has(frame.code)) void this.#renew();
    });
  }

  readonly #send: SendFrame = (event, frame, onAck) => {
    const socket = this.#socket;
    if (!onAck) {
      socket.emit(event, frame);
      return;
    }
    const { timeoutMs, done } = onAck;
    const unanswered = (): Ack =>
      socket.connected
        ? { status: 'timed out' }
        : { ...lostConnection('it has ended'), status: 'error' };
    // Without a connection Socket.IO would keep the frame for the next one.
    if (!socket.connected) done(unanswered());
    else {
      socket
        .timeout(timeoutMs)
        .emit(event, frame, (error, ack) => done(error ? unanswered() : ack));
    }
  };

  #open(): void {
    this.#phase = 'opening';
    this.#closeReason = undefined;
    const attempt = (this.#attempt += 1);
    const isLate = () => attempt !== this.#attempt;
    this.#stopWatching ??= this.#watch();
    this.#findSession().then(
      (session) => {
        if (isLate()) return;
        this.#setSession(session);
        this.#socket.connect();
      },
      (thrown: unknown) => {
        if (isLate()) return;
        const { message } = unreachable(thrown);
        this.#lost(lostConnection(message));
      },
    );
  }

  /** Follows the session, and the network of a page. Returns a function that ends that. */
  #watch(): () => void {
    const stopSession = this.#options.session?.subscribe(() => this.#followSession());
    const online = (): void => {
      if (this.#phase === 'waiting') this.#restart();
    };
    page.addEventListener?.('online', online);
    return () => {
      stopSession?.();
      page.removeEventListener?.('online', online);
    };
  }

  #opened(): void {
    this.#phase = 'open';
    this.#openedAt = Date.now();
    for (const channel of this.#channels.values()) channel.join();
    // It may have changed meanwhile.
    void this.#followSession();
  }

  /** The connection has ended, or could not be opened. */
  #lost(reason: Refusal): void {
    // Else this client has ended it.
    if (this.#phase !== 'open' && this.#phase !== 'opening') return;
    const lasted = this.#phase === 'open' ? Date.now() - this.#openedAt : 0;
    this.#failures = lasted > shortMs ? 0 : this.#failures + 1;
    this.#phase = 'waiting';
    this.#attempt += 1;
    for (const channel of this.#channels.values()) channel.disconnected(reason);
    if (this.#phase !== 'waiting') return;
    const pauseMs = randomPauseMs(reconnection, Math.max(0, this.#failures - 1));
    this.#retry = setTimeout(
      () => void this.#openAgain(reason),
      (reason.retryAfterMs ?? 0) + pauseMs,
    );
  }

  async #openAgain({ code }: Refusal): Promise<void> {
    const attempt = this.#attempt;
    const { token } = this.#sent;
    // A session that has ended is removed, and the connection is one of a visitor.
    if (endedCodes.has(code)) await this.#revalidate(token);
    if (attempt === this.#attempt && this.#phase === 'waiting') this.#open();
  }

  /** Ends the connection and opens another one, without a pause and without a report. */
  #restart(): void {
    this.#end();
    this.#open();
  }

  #end(): void {
    clearTimeout(this.#retry);
    this.#phase = 'closed';
    this.#attempt += 1;
    this.#socket.disconnect();
    for (const channel of this.#channels.values()) channel.disconnected();
  }

  async #leave(channel: JoinedChannel, timeoutMs: number): Promise<RealtimeOutcome> {
    const { topic } = channel;
    // The join of another channel of the topic takes its place on the server.
    if (this.#channels.get(topic) !== channel) return 'ok';
    this.#channels.delete(topic);
    this.#leaving += 1;
    const outcome = await new Promise<RealtimeOutcome>((resolve) => {
      if (!this.#socket.connected) resolve('ok');
      else {
        this.#send('rt:leave', { topic }, { timeoutMs, done: ({ status }) => resolve(status) });
      }
    });
    this.#leaving -= 1;
    if (this.#channels.size === 0 && this.#leaving === 0) {
      this.#end();
      this.#stopWatching?.();
      this.#stopWatching = undefined;
    }
    return outcome;
  }

  async #findSession(): Promise<SentSession> {
    const { session, headers } = this.#options;
    if (!session) {
      const [, token] = /^Bearer (.+)$/i.exec(headers['authorization'] ?? '') ?? [];
      return { token, userId: undefined };
    }
    const found = await session.find();
    return { token: found?.access_token, userId: found?.user?.id };
  }

  /** Takes over the session of the client if it is another one than that of the connection. */
  async #followSession(): Promise<void> {
    const attempt = this.#attempt;
    const next = await this.#findSession().catch(() => this.#sent);
    if (attempt !== this.#attempt || next.token === this.#sent.token) return;
    // An attempt that runs has the session of before; it looks again when it is open.
    if (this.#phase === 'open' || this.#phase === 'waiting') this.#follow(next);
  }

  #follow(next: SentSession): void {
    const { userId } = this.#sent;
    const isSame = userId === undefined || userId === next.userId;
    if (this.#phase === 'open' && isSame && next.token !== undefined) this.#sendToken(next);
    else this.#restart();
  }

  /** From now on the connection has these rights. What another user has tracked is not tracked for this one. */
  #setSession(session: SentSession): void {
    const { userId } = this.#sent;
    if (userId !== undefined && userId !== session.userId) {
      for (const channel of this.#channels.values()) channel.forget();
    }
    this.#sent = session;
    const { apikey, 'x-service-impersonate': impersonate } = this.#options.headers;
    this.#socket.auth = { apikey, token: session.token, impersonate };
  }

  /** Continues on the open connection with the rights of another token. */
  #sendToken(session: SentSession): void {
    this.#setSession(session);
    const done = ({ status }: Ack): void => {
      if (this.#sent !== session) return;
      if (status !== 'ok') this.#restart();
      else for (const channel of this.#channels.values()) channel.reconsider();
    };
    this.#send('rt:token', { token: session.token }, { timeoutMs: renewMs, done });
  }

  /** The token of the connection has expired. A session may have become longer meanwhile, and an app has another token. */
  async #renew(): Promise<void> {
    const session = this.#sent;
    const attempt = this.#attempt;
    if (!(await this.#revalidate(session.token))) return;
    const next = await this.#findSession().catch(() => session);
    if (attempt !== this.#attempt || session !== this.#sent) return;
    this.#follow({ ...next });
  }

  /** Whether the session has this token, and the server says that it is alive. */
  async #revalidate(token: string | undefined): Promise<boolean> {
    const { session } = this.#options;
    if (!session || token === undefined) return false;
    const verdict = await session.revalidate(token).catch(() => undefined);
    return verdict?.kind === 'alive';
  }
}
