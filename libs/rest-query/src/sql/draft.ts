import type { Parameter } from '../types/statement.js';

/** A statement in the making: its values, and numbers that keep the names of its parts apart. */
export class Draft {
  readonly parameters: Parameter[] = [];
  #parts = 0;

  /** Placeholder of a new value: `$1`, `$2`, … in the order in which they are asked for. */
  value(parameter: Parameter): string {
    this.parameters.push(parameter);
    return `$${this.parameters.length}`;
  }

  /** A number that no other part of the statement has, from 1 on. */
  number(): number {
    this.#parts += 1;
    return this.#parts;
  }
}
