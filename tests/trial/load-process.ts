// Load from a process of its own, so that its work is not taken for the time of the server.
import { fork } from 'node:child_process';
import { setPriority } from 'node:os';

import { askChild, type Child, stopProcess } from '../../bench/child.js';
import { isLoadAnswer, type LoadPlan, type LoadResult } from '../../bench/load-plan.js';

/** The load process of the benchmark, as the start of the product compiles it. */
const program = new URL('../../dist/bench/load.js', import.meta.url);

export class LoadProcess {
  private constructor(private readonly child: Child) {}

  /**
   * `nice` is its priority: a client on another machine neither takes the server's processors nor waits for them. Without
   * the right to a higher priority the process has the usual one.
   */
  static start(nice = 0): LoadProcess {
    const running = fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    if (running.pid === undefined) throw new Error('the load process could not be started');
    try {
      setPriority(running.pid, nice);
    } catch (error) {
      if (nice >= 0) throw error;
    }
    return new LoadProcess({
      process: running,
      pid: running.pid,
      stop: () => stopProcess(running),
    });
  }

  /** Rejects when a connection broke. */
  async run(plan: Omit<LoadPlan, 'kind'>): Promise<LoadResult> {
    const answer = await askChild(this.child, { kind: 'load', ...plan });
    if (!isLoadAnswer(answer)) throw new Error('the load process said something unknown');
    if (answer.kind === 'error') throw new Error(`the load broke: ${answer.message}`);
    return answer;
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}
