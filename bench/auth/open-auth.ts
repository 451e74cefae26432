// Opens what is measured of authentication in rounds: sign-ins and session reads of the product, and the
// hash alone that sign-ins are held against.

import { hashPassword } from '#libs/passwords';
import { askChild, startChild } from '../child.js';
import { insertPasswords } from '../database/accounts.js';
import { isAskedFor } from '../only.js';
import type { TargetRun } from '../open-targets.js';
import { httpSeries, type Series } from '../series.js';
import type { ProductSite } from '../site.js';
import { HASH } from './demands.js';
import { isHashAnswer, type HashPlan } from './hash-plan.js';
import { authFaultOf } from './verify.js';
import { AUTH_CASES, authRequests, PASSWORD, PASSWORD_ACCOUNTS, type AuthCase } from './works.js';

const WARM_UP_SECONDS = 1;

/** Makes the limits of the address that all requests come from no part of what is measured. */
export async function turnOffRateLimits(product: ProductSite): Promise<void> {
  await product.current().saveSettings(product.project, 'security.rateLimit', { enabled: false });
}

function hashSeries(run: TargetRun, passwordHash: string): Series {
  const child = run.cleanup.keep(startChild('./hash.js'), (started) => started.stop());
  const plan: HashPlan = {
    kind: 'hash',
    passwordHash,
    password: PASSWORD,
    atOnce: HASH.connections,
    warmUpSeconds: WARM_UP_SECONDS,
    seconds: run.by.seconds,
  };
  return {
    key: HASH,
    async measure() {
      const answer = await askChild(child, plan);
      if (!isHashAnswer(answer)) throw new Error('The hash process said something unknown');
      if (answer.kind === 'error') throw new Error(answer.message);
      return { perSecond: answer.perSecond };
    },
  };
}

/** The series of a case that is answered rightly; the reason why it is not is noted. */
async function seriesOf(
  run: TargetRun,
  product: ProductSite,
  measured: AuthCase,
): Promise<Series[]> {
  const { host } = product.project;
  const { apiPort: port, pid } = product.current();
  const { target, work } = measured.key;
  const reason = await authFaultOf(measured, { port, host });
  if (reason !== undefined) {
    run.rates.fail({ target, work, reason });
    run.say(`${target}, ${work}: FAILED: ${reason}`);
    return [];
  }
  const { firstWarmUpSeconds } = measured;
  const requests = authRequests(measured, host);
  const warmUp = firstWarmUpSeconds === undefined ? {} : { firstWarmUpSeconds };
  return [httpSeries(measured.key, { port, pid, requests, ...warmUp }, run.by)];
}

/** The series of authentication that are asked for. */
export async function openAuth(run: TargetRun): Promise<Series[]> {
  const { product, client } = run.site;
  const passwordHash = await hashPassword(PASSWORD);
  const series = isAskedFor(run.only, HASH) ? [hashSeries(run, passwordHash)] : [];
  const cases = AUTH_CASES.filter(({ key }) => isAskedFor(run.only, key));
  if (product === undefined || cases.length === 0) return series;
  await turnOffRateLimits(product);
  await insertPasswords(client, passwordHash, PASSWORD_ACCOUNTS);
  // One after another, so that none is verified under the load of another.
  for (const measured of cases) series.push(...(await seriesOf(run, product, measured)));
  return series;
}
