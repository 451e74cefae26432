import type { Parameter } from '../types/statement.js';

/** A statement while it is built: its values, and numbers that keep the names of its parts distinct. */
export class Draft {
  readonly parameters: Parameter[] = [];
  #parts = 0;

  /** Placeholder of a new value: `$1`, `$2`, … in the order of the calls. */
  value(parameter: Parameter): string {
    this.parameters.push(parameter);
    return `$${this.parameters.length}`;
  }

  /** A number that no other part of the statement has, from 1. */
  number(): number {
    this.#parts += 1;
    return this.#parts;
  }
}
