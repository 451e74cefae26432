// `rowhouse upgrade` beside a server that runs: one project with a snapshot, then the others in waves. A neighbor that
// is written to meanwhile notices nothing.
import type { ProjectUnderTest } from '../../support/project.js';
import { Findings, type Outcome, projectAt, type Trial, type TrialCase } from '../case.js';
import type { TrialDeployment, Ended } from '../deployment.js';
import { counted, shownMs } from '../figures.js';
import { forEachProject } from '../fleet.js';
import { RowWrites } from '../row-writes.js';

const upgradedProjects = 10;
const waves = ['1', '2', '3', '4'];
const clients = 4;
/** Projects wait for the command in this deployment, also those that are requested. */
const env = { PROJECT_UPGRADES: 'manual' };
/** No release has this name, so that this one takes it for an earlier one. */
const earlier = 'earlier';

export const upgrade: TrialCase = { name: 'upgrade', run };

async function run(trial: Trial): Promise<Outcome> {
  const { deployment } = trial;
  const found = new Findings();
  const old = trial.projects.slice(-upgradedProjects);
  const neighbor = new RowWrites(deployment, [projectAt(trial, 1)]);
  await deployment.restart(env);
  await deployment.ask(`update project set migrated_to = '${earlier}'
    where ref in (${old.map(({ ref }) => `'${ref}'`).join(', ')})`);
  const writing = neighbor.run(clients);
  const startedAt = performance.now();
  const awayMs = await upgradeAll(deployment, old, found).finally(() => neighbor.stop());
  const tookMs = performance.now() - startedAt;
  await writing;
  const { answers, bad } = neighbor;
  found.check(bad.length === 0, `writes of the neighbor were answered ${counted(bad)}`);
  const lost = await neighbor.lost();
  found.check(lost === 0, `${lost} acknowledged rows of the neighbor are lost`);
  await checkUpgraded(deployment, old, found);
  const confirmed = await deployment.command(['upgrade', '--confirm', 'all'], env);
  found.check(confirmed.code === 0, `the snapshots were not dropped: ${textOf(confirmed)}`);
  await deployment.restart();
  return found.outcome(
    `${old.length} projects upgraded in ${shownMs(tookMs)}, the first with a snapshot and away for ${awayMs} ms; ${answers.length} writes of a neighbor meanwhile, ${bad.length} failed`,
  );
}

/** Upgrades the first project alone and then the others. Returns how long the first one was away; milliseconds. */
async function upgradeAll(
  deployment: TrialDeployment,
  [first, ...others]: readonly ProjectUnderTest[],
  found: Findings,
): Promise<number> {
  const ref = first?.ref ?? '';
  const canary = await deployment.command(['upgrade', '--canary', ref], env);
  const away = /^(\S+) {2}upgraded, away for (\d+) ms; the snapshot is kept\n$/.exec(canary.stdout);
  found.check(canary.code === 0 && away?.[1] === ref, `the canary: ${textOf(canary)}`);
  const fleet = await deployment.command(['upgrade'], env);
  const lines = [...fleet.stdout.matchAll(/^wave (\d) {2}(\S+) {2}upgraded$/gm)];
  const upgraded = lines.map(([, , name]) => name).toSorted();
  const wanted = others.map(({ ref: name }) => name).toSorted();
  found.check(fleet.code === 0 && upgraded.join() === wanted.join(), `the waves: ${textOf(fleet)}`);
  const seen = [...new Set(lines.map(([, wave]) => wave))];
  found.check(seen.join() === waves.join(), `the waves were ${seen.join(', ')}`);
  return Number(away?.[2] ?? Number.NaN);
}

/** The control plane says so, and each of the projects answers. */
async function checkUpgraded(
  deployment: TrialDeployment,
  old: readonly ProjectUnderTest[],
  found: Findings,
): Promise<void> {
  const left = await deployment.ask(`select ref from project where migrated_to = '${earlier}'`);
  found.check(left.length === 0, `${left.length} projects were not upgraded`);
  const statuses = await forEachProject(old, async (project) => {
    const { status } = await project.send({ path: '/rest/v1/notes?limit=1' });
    return status;
  });
  found.check(
    statuses.every((status) => status === 200),
    `upgraded projects answer ${counted(statuses)}`,
  );
}

const textOf = ({ code, stdout, stderr }: Ended): string => `${String(code)} ${stdout} ${stderr}`;
