export interface Part {
  readonly name: string;
  /** Beginnings of paths of test files. */
  readonly files?: readonly string[];
}
export const parts: readonly Part[];
export function filesOf(name: string): readonly string[];
