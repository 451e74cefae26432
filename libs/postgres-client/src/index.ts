export { LastingClient } from './lasting-client.js';
export { MessageTooLong } from './message-limit.js';
