// Eleven owners take every direct connection that they get, while all projects are served.
import pg from 'pg';

import { Findings, type Outcome, type Trial, type TrialCase } from '../case.js';
import { counted, quantile, shownMs } from '../figures.js';
import { forEachProject } from '../fleet.js';

const owners = 11;
const connectionsOfOne = 20;

export const greedyOwners: TrialCase = { name: 'greedy-owners', run };

async function run(trial: Trial): Promise<Outcome> {
  const found = new Findings();
  const open: pg.Client[] = [];
  const refusals: string[] = [];
  try {
    for (const { databaseUrl } of trial.projects.slice(0, owners)) {
      for (let index = 0; index < connectionsOfOne; index += 1) {
        const client = new pg.Client({ connectionString: databaseUrl });
        client.on('error', () => undefined);
        try {
          await client.connect();
          open.push(client);
        } catch (error) {
          refusals.push(String(Reflect.get(Object(error), 'code')));
        }
      }
    }
    const answers = await forEachProject(trial.projects, async (project) => {
      const startedAt = performance.now();
      const { status } = await project.asService({ path: '/rest/v1/notes?limit=1' });
      return { status, ms: performance.now() - startedAt };
    });
    const statuses = answers.map(({ status }) => status);
    found.check(
      statuses.every((status) => status === 200),
      `requests were answered ${counted(statuses)}`,
    );
    found.check(refusals.length > 0, 'no owner reached a limit');
    const p99 = quantile(
      answers.map(({ ms }) => ms),
      0.99,
    );
    return found.outcome(
      `${open.length} connections of ${owners} owners (refused: ${counted(refusals)}); ${answers.length} projects served, p99 ${shownMs(p99)}`,
    );
  } finally {
    await Promise.all(open.map((client) => client.end()));
  }
}
