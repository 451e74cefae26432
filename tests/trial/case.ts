// What a case of the trial is given and what it gives back.
import type { Chance } from '../soak/chance.js';
import type { ProjectUnderTest } from '../support/project.js';
import type { TrialDeployment } from './deployment.js';
import type { Inbox } from './inbox.js';
import type { WebhookReceiver } from './webhook-receiver.js';

export interface Trial {
  readonly deployment: TrialDeployment;
  /** All of them have a table `notes`, which signed-out users read. */
  readonly projects: readonly ProjectUnderTest[];
  /** How long the creation of each took; milliseconds. */
  readonly createdMs: readonly number[];
  readonly inbox: Inbox;
  readonly receiver: WebhookReceiver;
  readonly chance: Chance;
  /** How long a case that repeats itself may go on. */
  readonly roundsMs: number;
}

export interface Outcome {
  /** The figures, in one line. */
  readonly measured: string;
  /** A sentence for each thing that does not hold. */
  readonly failures: readonly string[];
}

export interface TrialCase {
  /** For `--only` and the report. */
  readonly name: string;
  readonly run: (trial: Trial) => Promise<Outcome>;
}

/** Collects what does not hold. */
export class Findings {
  readonly failures: string[] = [];

  check(holds: boolean, failure: string): void {
    if (!holds) this.failures.push(failure);
  }

  outcome(measured: string): Outcome {
    return { measured, failures: this.failures };
  }
}

/** The project at a place of the fleet. Throws when there are fewer. */
export function projectAt({ projects }: Pick<Trial, 'projects'>, index: number): ProjectUnderTest {
  const project = projects[index];
  if (project === undefined) throw new Error(`there are only ${projects.length} projects`);
  return project;
}
