// One project floods the deployment; another one's p99 is compared with the quiet one of the same run.
import { requestText } from '../../../bench/requests.js';
import type { ProjectUnderTest } from '../../support/project.js';
import { Findings, type Outcome, projectAt, type Trial, type TrialCase } from '../case.js';
import { quantile, shownMs } from '../figures.js';
import { LoadProcess } from '../load-process.js';

const rounds = 5;
const seconds = 4;
const warmUpSeconds = 1;
const mostRatio = 3;

const setUp = `create table bodies (body text);
  create function busy() returns float8 language sql
    as $$ select sum(sqrt(i)) from generate_series(1, 300000) i $$;`;
const tearDown = 'drop table bodies; drop function busy();';

export const noisyNeighbor: TrialCase = { name: 'noisy-neighbor', run };

interface Flood {
  readonly name: string;
  readonly connections: number;
  readonly request: string;
}

async function run(trial: Trial): Promise<Outcome> {
  const found = new Findings();
  const [noisy, quiet] = [projectAt(trial, 2), projectAt(trial, 3)];
  await noisy.sql(setUp);
  const [prober, flooder] = [LoadProcess.start(-10), LoadProcess.start(19)];
  const floods = floodsOf(noisy).map((flood) => ({ ...flood, ...noSamples() }));
  const calmMs: number[] = [];
  const probe = () => probeOnce(prober, trial, quiet);
  try {
    // The p99 of one probe varies: each flood is compared with the quiet probe of its round, and the median counts.
    for (let round = 0; round < rounds; round += 1) {
      const calm = await probe();
      calmMs.push(calm.p99Ms);
      for (const flood of floods) {
        // It lasts a little longer than the probe on both sides.
        const flooding = flooder.run({
          ...placeOf(trial, noisy),
          connections: flood.connections,
          warmUpSeconds: 0,
          seconds: seconds + warmUpSeconds + 1,
          requests: [flood.request],
        });
        const [{ p99Ms, failures }, { replies, failures: refused }] = await Promise.all([
          probe(),
          flooding,
        ]);
        flood.p99Ms.push(p99Ms);
        flood.ratios.push(p99Ms / calm.p99Ms);
        flood.replies += replies;
        flood.refused += refused;
        found.check(failures === 0, `${failures} requests of the neighbor failed (${flood.name})`);
      }
    }
  } finally {
    await Promise.all([prober.stop(), flooder.stop()]);
    await noisy.sql(tearDown);
  }
  const shown = floods.map(({ name, p99Ms, ratios, replies, refused }) => {
    const ratio = quantile(ratios, 0.5);
    found.check(
      ratio <= mostRatio,
      `with a flood of ${name} the neighbor's p99 is ${ratio.toFixed(1)} times the quiet one`,
    );
    return `${name} (${replies} answered, ${refused} refused): ${shownMs(quantile(p99Ms, 0.5))}, ${ratio.toFixed(1)}-fold`;
  });
  return found.outcome([`quiet p99 ${shownMs(quantile(calmMs, 0.5))}`, ...shown].join('; '));
}

/** What is measured of a flood, a sample for each round. */
const noSamples = () => ({
  p99Ms: [] as number[],
  ratios: [] as number[],
  replies: 0,
  refused: 0,
});

function placeOf({ deployment }: Trial, { apiOrigin }: ProjectUnderTest) {
  return { port: Number(new URL(apiOrigin).port), serverPid: deployment.pid };
}

function probeOnce(prober: LoadProcess, trial: Trial, quiet: ProjectUnderTest) {
  const call = { method: 'GET', path: '/rest/v1/notes?limit=1', headers: keyOf(quiet) } as const;
  return prober.run({
    ...placeOf(trial, quiet),
    connections: 1,
    warmUpSeconds,
    seconds,
    requests: [requestText(quiet.host, call)],
  });
}

const keyOf = ({ secretKey }: ProjectUnderTest) => ({ apikey: secretKey });

/** The least part of a flood: many small requests, large bodies, and work for the database. */
function floodsOf(noisy: ProjectUnderTest): readonly Flood[] {
  const headers = { ...keyOf(noisy), prefer: 'return=minimal' };
  const rows = JSON.stringify(Array.from({ length: 500 }, () => ({ body: 'x'.repeat(1_500) })));
  const text = (call: Parameters<typeof requestText>[1]) => requestText(noisy.host, call);
  return [
    {
      name: 'rows',
      connections: 64,
      request: text({ method: 'GET', path: '/rest/v1/notes?limit=100', headers }),
    },
    {
      name: 'large bodies',
      connections: 16,
      request: text({ method: 'POST', path: '/rest/v1/bodies', headers, body: rows }),
    },
    {
      name: 'aggregates',
      connections: 32,
      request: text({ method: 'POST', path: '/rest/v1/rpc/busy', headers, body: '{}' }),
    },
  ];
}
