// What a baseline server sends to all its connections, and how often.

export interface EmitPlan {
  readonly kind: 'emit';
  readonly event: string;
  readonly payload: object;
  /** How often, without a pause. */
  readonly times: number;
}

export function isEmitPlan(message: unknown): message is EmitPlan {
  return (
    typeof message === 'object' && message !== null && 'kind' in message && message.kind === 'emit'
  );
}
