export { audienceKey, claimsKey } from './audience.js';
export { bindingId, CHANGE_EVENTS, type Binding, type ChangeEvent } from './binding.js';
export { maxBroadcastMessages, parseBroadcast, type BroadcastMessage } from './broadcast.js';
export {
  CHANGE_COMPARISONS,
  type ChangeComparison,
  type ChangeFilter,
  type ChangeTest,
  filterBytes,
  parseChangeFilter,
  patternsIn,
} from './change-filter.js';
export { invalidFrame, maxNameLength } from './fields.js';
export { isClientEvent, parseFrame, type ClientEvent, type ClientFrame } from './frames.js';
export { type JoinConfig, mostBindings, tooMany } from './join-config.js';
export {
  combineConditions,
  combinePolicies,
  effectivePolicies,
  type PolicyRow,
} from './combine-policies.js';
export {
  changePresence,
  emptyPresence,
  presencePayload,
  presenceState,
  type Member,
  type Presence,
  type PresenceChange,
  type PresenceEntry,
  type PresenceLimits,
  type PresenceState,
  type Tracked,
} from './presence.js';
export { fullBucket, takeToken, type Bucket, type Rate, type Take } from './rate.js';
export { maxReplayedChanges } from './sent-frames.js';
export type {
  Ack,
  ChangeEntry,
  ChangesFrame,
  ErrorAck,
  JoinedAck,
  MessageFrame,
  OkAck,
  PresenceFrame,
  SystemFrame,
  TableChange,
} from './sent-frames.js';
