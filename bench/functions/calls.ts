// Calls of functions over the API: many at once, those that start a process, and the first byte of a stream.

import { request } from 'node:http';
import { tokenOf } from '../database/accounts.js';
import { timesMeasured } from '../realtime/place.js';
import { buildRequests } from '../requests.js';
import { httpSeries } from '../series.js';
import type { CheckedSeries } from '../storage/place.js';
import { HELLO_AGAIN_CODE, HELLO_CODE, STREAM_CODE, wallMs } from './code.js';
import { CALL, COLD, FIRST_BYTE } from './demands.js';
import {
  administer,
  callAsUser,
  callPath,
  createFunction,
  faultIn,
  type FunctionPlace,
  timeOfCall,
} from './place.js';

const HELLO = 'hello';
const COLD_FUNCTION = 'cold';
const STREAM = 'stream';
const COLD_CALLS = 10;
const STREAMS = 40;
/** Few enough to come again within seconds: the first use of a session is recorded, and costs a write. */
const CALLING_SESSIONS = 100;

/** Calls of many users, who have a session each. */
export async function openCalls(place: FunctionPlace): Promise<CheckedSeries[]> {
  const { apiPort: port, pid } = place.product.current();
  await createFunction(place, HELLO, HELLO_CODE);
  const requests = buildRequests({
    host: place.product.project.host,
    keys: 1,
    sessions: CALLING_SESSIONS,
    call: () => ({ method: 'GET', path: callPath(HELLO) }),
    bearer: tokenOf,
  });
  return [
    {
      ...httpSeries(CALL, { port, pid, requests }, place.by),
      faultOf: async () => faultIn(await callAsUser(place, HELLO)),
    },
  ];
}

/** Two versions in turn: the first call of each starts a process, and that of the other has ended. */
export async function openColdCalls(place: FunctionPlace): Promise<CheckedSeries[]> {
  await createFunction(place, COLD_FUNCTION, HELLO_CODE);
  await administer(place, 'PUT', `/${COLD_FUNCTION}`, { files: { 'index.ts': HELLO_AGAIN_CODE } });
  let version = 2;
  const timeOfCold = async (): Promise<number> => {
    version = 3 - version;
    await administer(place, 'POST', `/${COLD_FUNCTION}/activate`, { version });
    return timeOfCall(place, COLD_FUNCTION);
  };
  return [
    {
      key: COLD,
      faultOf: async () => faultIn(await callAsUser(place, COLD_FUNCTION)),
      async measure() {
        const times: number[] = [];
        for (let done = 0; done < COLD_CALLS; done += 1) times.push(await timeOfCold());
        return timesMeasured(times);
      },
    },
  ];
}

/** Milliseconds from the first byte of a function to its arrival here. */
function delayOfFirstByte({ product }: FunctionPlace): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      host: product.project.host,
      authorization: `Bearer ${tokenOf(1)}`,
    };
    const at = { host: '127.0.0.1', port: product.current().apiPort, path: callPath(STREAM) };
    const outgoing = request({ ...at, headers }, (answer) => {
      answer.once('data', (chunk: Buffer) => {
        const sentAt = Number(chunk.toString());
        if (sentAt > 0) resolve(wallMs() - sentAt);
        else reject(new Error(`The first byte is none: ${String(answer.statusCode)}`));
        answer.resume();
      });
      answer.once('error', reject);
    });
    outgoing.once('error', reject);
    outgoing.end();
  });
}

export async function openStreams(place: FunctionPlace): Promise<CheckedSeries[]> {
  await createFunction(place, STREAM, STREAM_CODE);
  return [
    {
      key: FIRST_BYTE,
      async faultOf() {
        await delayOfFirstByte(place);
        return undefined;
      },
      async measure() {
        const times: number[] = [];
        for (let done = 0; done < STREAMS; done += 1) times.push(await delayOfFirstByte(place));
        return timesMeasured(times);
      },
    },
  ];
}
