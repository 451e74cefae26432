export { LastingClient } from './lasting-client.js';
