export { Feed, type FeedListener, type FeedOptions, type Listening } from './feed/feed.js';
export { type Pace, PollingFeeds } from './feed/pace.js';
export type { Replay } from './feed/replay.js';
export type { AccountChange, Change, Line, Message } from './feed/lines.js';
export { Frame } from './hub/frame.js';
export { Hub, type HubStats } from './hub/hub.js';
export { clientOf, type InspectedEvent, type Observer } from './hub/inspection.js';
export type { Member } from './hub/member.js';
export { Places } from './hub/places.js';
export { SharedRate } from './hub/shared-rate.js';
export type { RecentRefusal } from './hub/recent-refusals.js';
export type { JoinedRoom } from './hub/rooms.js';
export { type Rights, senderOf, sendingRefusal, type TopicRights } from './hub/rights.js';
export type { Message as RoomMessage } from './hub/messages.js';
export type {
  BindTables,
  Callers,
  Exchange,
  HubLimits,
  HubQuestion,
  RealtimeSocket,
  BoundTable,
  Ruling,
} from './hub/ports.js';
export { lockOf, TableLocked } from './hub/ports.js';
export { filterError, rulingOf } from './hub/ruling.js';
export { readTopicRights } from './visibility/topic-rights.js';
export { Visibility, type VisibilityOptions, type TableRights } from './visibility/visibility.js';
export type { Audience, Bits, EvaluationError, Question, Verdict } from './visibility/types.js';
export type { Clock, Query, RealtimeDatabase, Timer } from './ports.js';
