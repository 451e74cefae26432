// Before anything is measured: every target gives the right answer to every case, and refuses whom it
// must. A fast wrong answer has no rate.

import { CASES, type BenchCase, type HttpCall } from './cases.js';
import { callAny, type ControlReply } from './control.js';

export interface VerifiedTarget {
  readonly name: string;
  readonly port: number;
  readonly host: string;
  readonly bearer: string;
  call(measured: BenchCase): HttpCall;
  /** What a request without a valid token gets to a read. */
  readonly stranger: 'no rows' | 'refused';
}

async function ask(
  target: VerifiedTarget,
  measured: BenchCase,
  bearer: string | undefined,
): Promise<ControlReply> {
  const { method, path, body } = target.call(measured);
  return callAny({
    port: target.port,
    host: target.host,
    method,
    path,
    ...(bearer === undefined ? {} : { headers: { authorization: `Bearer ${bearer}` } }),
    ...(body === undefined ? {} : { body: JSON.parse(body) }),
  });
}

/** Rows of an answer; one object is one row. */
function rowsIn({ body }: ControlReply): number {
  if (Array.isArray(body)) return body.length;
  return typeof body === 'object' && body !== null ? 1 : 0;
}

function expect(holds: boolean, what: string, reply: ControlReply): void {
  if (holds) return;
  const said = JSON.stringify(reply.body)?.slice(0, 300) ?? 'nothing';
  throw new Error(`${what}, but it answered ${String(reply.status)}: ${said}`);
}

async function verifyStranger(target: VerifiedTarget, bearer: string | undefined): Promise<void> {
  const read = CASES.find((measured) => measured.isRead);
  if (read === undefined) return;
  const reply = await ask(target, read, bearer);
  const isKept =
    target.stranger === 'refused'
      ? reply.status === 401
      : reply.status === 200 && rowsIn(reply) === 0;
  expect(isKept, `${target.name} must give a stranger: ${target.stranger}`, reply);
}

export async function verifyTarget(target: VerifiedTarget): Promise<void> {
  // One after another, so that the first wrong answer is the one that is named.
  for (const measured of CASES) {
    const reply = await ask(target, measured, target.bearer);
    const isRight =
      reply.status === (measured.isRead ? 200 : 201) && rowsIn(reply) === measured.rows;
    expect(isRight, `${target.name} must give ${String(measured.rows)} rows`, reply);
  }
  await verifyStranger(target, undefined);
  await verifyStranger(target, `x${target.bearer.slice(1)}`);
}
