// Rows that several clients insert until they are stopped. What was acknowledged is looked up afterwards.
import type { ProjectUnderTest } from '../support/project.js';
import type { TrialDeployment } from './deployment.js';
import { forEachProject } from './fleet.js';

export class RowWrites {
  /** How each write ended: its status, or the error of its connection. */
  readonly answers: string[] = [];
  readonly #idsByProject: readonly Set<string>[];
  #isOver = false;
  #next = 0;

  constructor(
    private readonly deployment: TrialDeployment,
    private readonly projects: readonly ProjectUnderTest[],
  ) {
    this.#idsByProject = projects.map(() => new Set());
  }

  /** Writes with so many clients at a time until `stop`. */
  async run(clients: number): Promise<void> {
    await Promise.all(Array.from({ length: clients }, () => this.#work()));
  }

  stop(): void {
    this.#isOver = true;
  }

  /** The answers that do not acknowledge a row. */
  get bad(): readonly string[] {
    return this.answers.filter((answer) => answer !== '201');
  }

  /** How many acknowledged rows are not there. */
  async lost(): Promise<number> {
    const lost = await forEachProject(this.projects, async ({ database }, index) => {
      const rows = await this.deployment.ask('select id from public.notes', database);
      const there = new Set(rows.map(({ id }) => id));
      return [...(this.#idsByProject[index] ?? [])].filter((id) => !there.has(id)).length;
    });
    return lost.reduce((sum, count) => sum + count, 0);
  }

  async #work(): Promise<void> {
    while (!this.#isOver) {
      const number = (this.#next += 1);
      const place = number % this.projects.length;
      const project = this.projects[place];
      if (project === undefined) throw new Error('there is no project');
      const body = { id: `written-${Date.now()}-${number}`, body: 'x' };
      const answer = await project
        .asService({ method: 'POST', path: '/rest/v1/notes', body })
        .then((reply) => String(reply.status))
        .catch(String);
      this.answers.push(answer);
      if (answer === '201') this.#idsByProject[place]?.add(body.id);
    }
  }
}
