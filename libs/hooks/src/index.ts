export { createHooks, HookAnswerError, type AuthHooks, type HooksOptions } from './create-hooks.js';
export { deliverDue, type DeliverOptions, type DeliveryCounts } from './deliver-due.js';
export {
  deliveryConditions,
  listDeliveries,
  recordDelivery,
  eventRow,
  reviveDelivery,
  sweepDeliveries,
  type DeliveryFilter,
  type DeliveryRow,
} from './delivery-rows.js';
export type { HookPool } from './hook-pool.js';
export type {
  AccessTokenEvent,
  CallHookFunction,
  HookCaller,
  HookDelivery,
  HookEventType,
  HookLogEntry,
  HookMessage,
  HookName,
  HookOutbound,
  HookSettings,
  HooksSettings,
  HookUser,
  SendEvent,
  SignHook,
  SignUpAdditions,
  SignUpEvent,
} from './hook-types.js';
