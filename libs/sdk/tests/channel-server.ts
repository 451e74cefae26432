// A channel on a connection that is a list of frames: the test is the server.
import { JoinedChannel } from '../src/realtime/joined-channel.js';
import type { Ack, Listener, Subscription } from '../src/realtime/ports.js';
import type { RealtimeChannelConfig } from '../src/realtime/types.js';

export interface SentFrame {
  readonly event: string;
  readonly frame: object;
  readonly timeoutMs: number | undefined;
  /** Answers the frame. */
  readonly answer: (ack: Ack) => void;
}

export interface ChannelServer {
  readonly channel: JoinedChannel;
  readonly subscription: Subscription;
  readonly sent: SentFrame[];
  /** Statuses, and the codes of errors. */
  readonly reports: string[];
  /** Opens and closes the connection. The channel is not informed. */
  connect(isConnected: boolean): void;
  /** Answers the last join. */
  joined(fields?: object): void;
}

export function channelServer(
  listeners: readonly Listener[] = [],
  config: RealtimeChannelConfig = {},
): ChannelServer {
  const sent: SentFrame[] = [];
  const reports: string[] = [];
  let isConnected = true;
  const subscription: Subscription = {
    topic: 'room',
    config,
    listeners,
    timeoutMs: 10_000,
    isClosed: false,
    report: (status, error) => reports.push(error ? `${status} ${error.code}` : status),
  };
  const channel = new JoinedChannel({
    subscription,
    send: (event, frame, onAck) => {
      sent.push({
        event,
        frame,
        timeoutMs: onAck?.timeoutMs,
        answer: (ack) => onAck?.done(ack),
      });
    },
    isConnected: () => isConnected,
    onLeave: () => Promise.resolve('ok'),
  });
  return {
    channel,
    subscription,
    sent,
    reports,
    connect: (now) => {
      isConnected = now;
    },
    joined: (fields = {}) => {
      const join = sent.findLast(({ event }) => event === 'rt:join');
      join?.answer({ status: 'ok', bindings: [{ id: 'b' }], cursor: 'c1', ...fields });
    },
  };
}
