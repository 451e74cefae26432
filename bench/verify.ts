// Before anything is measured: the answer of every target to every case is looked at, and so is what a
// stranger gets. A fast wrong answer has no rate.

import type { BenchCase, Evidence } from './case.js';
import { callAny, type ControlReply } from './control.js';
import type { ServedTarget } from './targets.js';

export interface VerifiedBy {
  /** Rows in the tables that are written to. */
  countRows(): Promise<number>;
}

const SHOWN_CHARACTERS = 300;

async function ask(
  served: ServedTarget,
  measured: BenchCase,
  bearer: string | undefined,
): Promise<ControlReply | undefined> {
  const call = served.call(measured, 1);
  if (call === undefined) return undefined;
  const { method, path, headers, body } = call;
  return callAny({
    port: served.port,
    host: served.host,
    method,
    path,
    headers: {
      ...headers,
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    },
    ...(body === undefined ? {} : { body: JSON.parse(body) }),
  });
}

/** What evidence is looked for in: body and Content-Range. */
export function textOf({ body, range }: ControlReply): string {
  return `${JSON.stringify(body) ?? ''}\n${range}`.trim();
}

function timesIn(text: string, { pattern }: Evidence): number {
  return [...text.matchAll(pattern)].length;
}

/** What is missing in the text of an answer, or too much; undefined when it is right. */
export function faultIn(text: string, evidence: readonly Evidence[]): string | undefined {
  for (const one of evidence) {
    const times = timesIn(text, one);
    if (times !== one.times) {
      return `${one.pattern.source} is there ${String(times)} times, not ${String(one.times)}`;
    }
  }
  return undefined;
}

function withAnswer(fault: string, reply: ControlReply): string {
  return `${fault}; it answered ${String(reply.status)}: ${textOf(reply).slice(0, SHOWN_CHARACTERS)}`;
}

/** Why the answer to a case is wrong; undefined when it is right, or the target cannot do the case. */
export async function faultOf(
  served: ServedTarget,
  measured: BenchCase,
  by: VerifiedBy,
): Promise<string | undefined> {
  const before = await by.countRows();
  const reply = await ask(served, measured, served.bearer(1));
  if (reply === undefined) return undefined;
  if (reply.status < 200 || reply.status > 299) return withAnswer('no success', reply);
  const fault = faultIn(textOf(reply), measured.evidence);
  if (fault !== undefined) return withAnswer(fault, reply);
  const written = (await by.countRows()) - before;
  if (written === measured.rowsWritten) return undefined;
  return withAnswer(`${String(written)} rows written, not ${String(measured.rowsWritten)}`, reply);
}

/** Throws when a caller without a valid token sees anything that a signed-in user sees. */
export async function verifyStrangers(served: ServedTarget, read: BenchCase): Promise<void> {
  for (const bearer of [undefined, `x${served.bearer(1).slice(1)}`]) {
    const reply = await ask(served, read, bearer);
    if (reply === undefined) return;
    const isKept = read.evidence.every((one) => timesIn(textOf(reply), one) === 0);
    if (!isKept) {
      throw new Error(withAnswer(`${served.target} shows a stranger ${read.title}`, reply));
    }
  }
}
