// What is worked out from the texts of a table's policies: how they are evaluated, the program for that, and what they read
// of a caller. The texts may be megabytes, so each is worked out once for the facts that it belongs to.
import { type CallerReads, callerReads } from './conditions.js';
import type { TableFacts } from './facts.js';
import { buildProgram, type Method, methodFor, type Program } from './program.js';

export class PolicyAnalysis {
  readonly #programs = new Map<Method, Program>();
  #method: Method | undefined;
  #reads: { readonly value: CallerReads | undefined } | undefined;

  constructor(readonly facts: TableFacts) {}

  get method(): Method {
    return (this.#method ??= methodFor(this.facts));
  }

  /** What the policies read of a caller; undefined for everything. */
  get reads(): CallerReads | undefined {
    this.#reads ??= { value: callerReads(this.facts) };
    return this.#reads.value;
  }

  program(method: Method): Program {
    const program = this.#programs.get(method) ?? buildProgram(this.facts, method);
    this.#programs.set(method, program);
    return program;
  }
}
