// What every part of the run of functions works with.

import { isDeepStrictEqual } from 'node:util';
import { call, callAny, type ControlReply } from '../control.js';
import { tokenOf } from '../database/accounts.js';
import type { TargetRun } from '../open-targets.js';
import type { ProductSite } from '../site.js';
import { ANSWER } from './code.js';

export interface FunctionPlace extends TargetRun {
  readonly product: ProductSite;
  /** The program. */
  readonly deno: string;
}

export function callPath(slug: string): string {
  return `/api/edge/${slug}`;
}

/** A request of an administrator to the functions of the project. Rejects when it is refused. */
export function administer(
  { product }: FunctionPlace,
  method: 'POST' | 'PUT',
  below: string,
  body: object,
): Promise<ControlReply> {
  return call({
    port: product.current().apiPort,
    host: product.project.host,
    method,
    path: `/api/admin/functions${below}`,
    headers: { apikey: product.project.secretKey },
    body,
  });
}

export async function createFunction(
  place: FunctionPlace,
  slug: string,
  code: string,
): Promise<void> {
  await administer(place, 'POST', '', { slug, files: { 'index.ts': code } });
}

/** The call of a user. */
export function callAsUser({ product }: FunctionPlace, slug: string): Promise<ControlReply> {
  return callAny({
    port: product.current().apiPort,
    host: product.project.host,
    method: 'GET',
    path: callPath(slug),
    headers: { authorization: `Bearer ${tokenOf(1)}` },
  });
}

/** Why this is no answer of `hello`; undefined when it is. */
export function faultIn({ status, body }: ControlReply): string | undefined {
  if (status === 200 && isDeepStrictEqual(body, ANSWER)) return undefined;
  return `it answered ${String(status)} ${JSON.stringify(body)}`;
}

/** The time of a call of `hello` in milliseconds. Rejects when it is answered wrongly. */
export async function timeOfCall(place: FunctionPlace, slug: string): Promise<number> {
  const reply = await callAsUser(place, slug);
  const fault = faultIn(reply);
  if (fault !== undefined) throw new Error(fault);
  return reply.ms;
}
