export { createHooks, HookAnswerError, type AuthHooks, type HooksOptions } from './create-hooks.js';
export { deliverEvent, type EventOutcome } from './deliver-event.js';
export type {
  AccessTokenEvent,
  CallEdgeFunction,
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
