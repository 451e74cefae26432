export type { RealtimeChannel } from './channel.js';
export type * from './types.js';
