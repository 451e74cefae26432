// Before the authentication routes are measured, their answers are looked at: a fast wrong answer has no
// rate, and a right one to a stranger is worse.

import type { HttpCall } from '../case.js';
import { callAny, type ControlReply } from '../control.js';
import { faultIn, textOf } from '../verify.js';
import type { AuthCase } from './works.js';

export interface Asked {
  readonly port: number;
  readonly host: string;
}

function ask({ port, host }: Asked, call: HttpCall, bearer?: string): Promise<ControlReply> {
  const { method, path, headers, body } = call;
  return callAny({
    port,
    host,
    method,
    path,
    headers: {
      ...headers,
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    },
    ...(body === undefined ? {} : { body: JSON.parse(body) }),
  });
}

/** Why the answers to a case are wrong; undefined when they are right. */
export async function authFaultOf(measured: AuthCase, at: Asked): Promise<string | undefined> {
  const { call, bearer, evidence, strange } = measured;
  const reply = await ask(at, call(1), bearer?.(1));
  const fault = reply.status === 200 ? faultIn(textOf(reply), evidence) : 'no success';
  if (fault !== undefined) return `${fault}; it answered ${String(reply.status)}: ${textOf(reply)}`;
  const toStranger = textOf(await ask(at, strange.call, strange.bearer));
  const isKept = evidence.every((one) => faultIn(toStranger, [{ ...one, times: 0 }]) === undefined);
  return isKept ? undefined : `a stranger is answered: ${toStranger}`;
}
