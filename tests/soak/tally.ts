export interface Counted {
  granted: number;
  refused: number;
}

/** How many requests there were, by the step that sent them. Refusals are expected ones: another one ends the run. */
export class Tally {
  readonly byStep = new Map<string, Counted>();

  count(step: string, isGranted: boolean): void {
    const counted = this.byStep.get(step) ?? { granted: 0, refused: 0 };
    if (isGranted) counted.granted += 1;
    else counted.refused += 1;
    this.byStep.set(step, counted);
  }

  get total(): number {
    return [...this.byStep.values()].reduce((sum, each) => sum + each.granted + each.refused, 0);
  }
}
