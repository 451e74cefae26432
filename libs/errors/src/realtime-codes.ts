import type { ErrorRow } from './error-row.js';

/** The errors of channels, as acks and system frames name them; a part of the table in codes.ts. */
export const REALTIME_ERRORS = {
  INVALID_FRAME: { status: 400, message: '{field}: {reason}' },
  NOT_JOINED: { status: 409, message: 'Join the channel {topic} first' },
  FRAME_TOO_LARGE: { status: 413, message: 'The frame is larger than {maxBytes} bytes' },
  PRESENCE_TOO_LARGE: {
    status: 413,
    message: 'The presence payload is larger than {maxBytes} bytes',
  },
  PRESENCE_FULL: { status: 409, message: 'The channel {topic} tracks as much as it can already' },
  TOO_MANY_CONNECTIONS: {
    status: 429,
    message: 'The project has {limit} open connections to this process already, its maximum',
  },
  LIVE_FEED_BUSY: {
    status: 429,
    message: 'The live feed has {limit} readers already, its maximum',
  },
  TOO_MANY_CHANNELS: { status: 409, message: 'A connection can join at most {limit} channels' },
  TOO_MANY_BINDINGS: {
    status: 400,
    message: '{owner} can have at most {limit} {counted} in postgres_changes',
  },
  TABLE_NOT_EXPOSED: {
    status: 404,
    message: 'There is no table {table} whose changes are sent to channels',
  },
  CHANNEL_REFUSED: {
    status: 403,
    message: 'The policies of realtime.messages do not allow this in the channel {topic}',
  },
  POLICY_READS_MESSAGE: {
    status: 403,
    message:
      'The policies of realtime.messages are evaluated before there is a message, and may read topic, extension and private: {policies}',
  },
  FILTER_TOO_SLOW: {
    status: 400,
    message: '{field}: takes too long on changes of the table {table}; use a simpler filter',
  },
  POLICY_FAILED: { status: 500, message: 'A policy of the table {table} failed' },
  CHANGES_MISSED: {
    status: 410,
    message: 'Changes of tables were missed; read the data again',
  },
  REPLAYS_BUSY: {
    status: 503,
    message: 'Many clients are sent what they have missed; join again with the same cursor',
  },
  CHANNEL_CLOSED: { status: 409, message: 'The channel {topic} was left while it was joined' },
  SESSION_ENDED: { status: 401, message: 'The session or the API key is not valid any more' },
  TOKEN_EXPIRED: { status: 401, message: 'The token has expired; send a new one with rt:token' },
  UPGRADE_REQUIRED: {
    status: 426,
    message: 'Connect to /ws with a client of Socket.IO and the transport websocket',
  },
  SLOW_CONSUMER: {
    status: 408,
    message: 'The client reads more slowly than events arrive; connect again',
  },
} as const satisfies Record<string, ErrorRow>;
