// What the measuring process and the process of many sockets say to each other.

import type { SocketTarget, TopicJoin } from './load-socket.js';

/** Opens sockets that are added to those of the crowd. */
export interface OpenPlan {
  readonly kind: 'open';
  readonly crowd: string;
  readonly target: SocketTarget;
  readonly count: number;
  /** The `auth` of each socket in turn. */
  readonly auths: readonly object[];
  readonly atOnce: number;
}

/** Every socket of the crowd joins. */
export interface JoinPlan {
  readonly kind: 'join';
  readonly crowd: string;
  readonly join: TopicJoin;
  readonly atOnce: number;
}

/** Waits until every socket of the crowd has received a number of events since it was opened. */
export interface AwaitPlan {
  readonly kind: 'await';
  readonly crowd: string;
  readonly events: number;
  readonly limitMs: number;
}

export interface ClosePlan {
  readonly kind: 'close';
  readonly crowd: string;
}

export type CrowdPlan = OpenPlan | JoinPlan | AwaitPlan | ClosePlan;

/** `number` names the request that is answered: several may be under way. */
export interface CrowdRequest {
  readonly number: number;
  readonly plan: CrowdPlan;
}

export type CrowdAnswer =
  | {
      readonly kind: 'done';
      readonly number: number;
      readonly seconds: number;
      /** When it was done, by the clock of the machine. */
      readonly atMs: number;
    }
  | { readonly kind: 'error'; readonly number: number; readonly message: string };

function isNumbered(message: unknown): message is { readonly number: number } {
  return (
    typeof message === 'object' &&
    message !== null &&
    'number' in message &&
    typeof message.number === 'number'
  );
}

export function isCrowdRequest(message: unknown): message is CrowdRequest {
  return isNumbered(message) && 'plan' in message;
}

export function isCrowdAnswer(message: unknown): message is CrowdAnswer {
  return isNumbered(message) && 'kind' in message;
}
