export { fetchOver } from './fetch-over.js';
export { createOutbound, type Outbound, type OutboundOptions } from './outbound.js';
export { isPublicAddress } from './public-address.js';
export { resolveAddress } from './resolve-address.js';
export type { HostAddress, Lookup } from './resolve-host.js';
export {
  newWebhookSecret,
  signWebhook,
  verifyWebhook,
  type ReceivedWebhook,
  type WebhookHeaders,
  type WebhookMessage,
} from './standard-webhooks.js';
