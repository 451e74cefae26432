// The soak: writers against random projects while server and database are killed at random.
import { setTimeout as delay } from 'node:timers/promises';

import { Findings, type Outcome, type Trial } from '../case.js';
import { shownMs } from '../figures.js';
import { forEachProject } from '../fleet.js';
import { inspect } from './inspection.js';
import { Kills } from './kills.js';
import { Writers } from './writers.js';

const minuteMs = 60_000;
const writersAtATime = 6;
/** Without kills, so that the memory at the start is that of a process that has worked. */
const warmUpMs = minuteMs;
const quietMs = 5 * minuteMs;
/** A mail that was being sent at a kill has a lease of two minutes, and may be tried again a minute later. */
const leastQuietMs = 3.5 * minuteMs;
const restMs = 20_000;
const mostGrowth = 1.2;
/** The server is not killed in the last quarter of the soak; it is started again a moment after the last kill. */
const leastLived = 0.25;
const surprises = 'an answer that no client should get: ';

export interface SoakOptions {
  readonly minutes: number;
  readonly say: (line: string) => void;
}

/** Runs for so many minutes and then compares the deployment with what was acknowledged. */
export async function runSoak(trial: Trial, { minutes, say }: SoakOptions): Promise<Outcome> {
  const soakMs = minutes * minuteMs;
  const found = new Findings();
  await trial.deployment.restart();
  const writers = await Writers.prepare(trial);
  writers.start(writersAtATime);
  await delay(Math.min(warmUpMs, soakMs / 4));
  await writers.stop();
  const startMb = await memoryAfterVisits(trial);
  say(`soak: ${startMb} MB before the kills`);
  const kills = new Kills(trial, soakMs);
  const peakMb = await loadFor(soakMs, { trial, writers, kills, say });
  const quiet = Math.min(quietMs, Math.max(leastQuietMs, soakMs / 4));
  say(`soak: ${Math.round(quiet / 1000)} s of quiet`);
  await delay(quiet);
  // Before the inspection, which reads all that was written through the server.
  const endMb = await memoryAfterVisits(trial);
  const livedMs = trial.deployment.uptimeMs;
  const kept = await inspect(trial, writers, found);
  for (const surprise of writers.surprises) {
    const requestId = /"requestId":"([\w-]+)"/.exec(surprise)?.[1];
    const cause = requestId === undefined ? '' : trial.deployment.log.ofRequest(requestId);
    found.check(false, `${surprises}${surprise} ${cause}`);
  }
  for (const surprise of kills.surprises) found.check(false, surprise);
  found.check(
    livedMs >= soakMs * leastLived + quiet,
    `the process whose memory is judged has lived for ${shownMs(livedMs)} only`,
  );
  found.check(endMb <= startMb * mostGrowth, `memory is ${endMb} MB, at the start ${startMb} MB`);
  const { acknowledged, refused, unanswered } = writers.counts;
  return found.outcome(
    `${acknowledged} requests acknowledged, ${refused} refused, ${unanswered} unanswered; ` +
      `kills: ${kills.counts.server} of the server, ${kills.counts.database} of the database; ` +
      `${kept.rows} rows, ${kept.files} files, ${kept.mails} mails, ${kept.webhooks} webhooks, ${kept.sessions} sessions: ${kept.lost} lost, ${kept.stuck.length} stuck or left over; ` +
      `memory ${startMb} MB, at most ${peakMb} MB, then ${endMb} MB of a process that has lived for ${shownMs(livedMs)}`,
  );
}

interface Load {
  readonly trial: Trial;
  readonly writers: Writers;
  readonly kills: Kills;
  readonly say: (line: string) => void;
}

/** Writes and kills for a time. Returns the most memory that the server had, in megabytes. */
async function loadFor(soakMs: number, { trial, writers, kills, say }: Load): Promise<number> {
  let peakMb = 0;
  const endsAt = Date.now() + soakMs;
  let saysAt = Date.now() + minuteMs;
  writers.start(writersAtATime);
  kills.start();
  try {
    while (Date.now() < endsAt) {
      await delay(1_000);
      // Between a kill and the next start there is no process to look at.
      peakMb = Math.max(peakMb, await trial.deployment.rssMb().catch(() => 0));
      if (Date.now() < saysAt) continue;
      saysAt += minuteMs;
      const { server, database } = kills.counts;
      say(`soak: ${writers.counts.acknowledged} acknowledged, ${server} + ${database} kills`);
    }
  } finally {
    await kills.stop();
    await writers.stop();
  }
  return peakMb;
}

/** The memory of the server, in megabytes, when every project was asked once and then nothing more. */
async function memoryAfterVisits({ projects, deployment }: Trial): Promise<number> {
  await forEachProject(projects, (project) =>
    project.asService({ path: '/rest/v1/notes?limit=1' }),
  );
  await delay(restMs);
  return deployment.rssMb();
}
