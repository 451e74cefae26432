// How long the reader rests between two polls: seldom while nothing happens, at once when something is known to.

export interface Pace {
  /** After the last lines, for `hotMs`. */
  readonly hotPauseMs: number;
  readonly hotMs: number;
  /** After that, for `mildMs`, and afterwards at least. */
  readonly mildPauseMs: number;
  readonly mildMs: number;
  /** Afterwards, for each feed of the process that polls: many of them poll no more often together than a few. */
  readonly coldPauseMsEach: number;
  /** The longest pause. */
  readonly coldPauseMs: number;
  /** The least time from one poll to the next, however often the reader is woken. */
  readonly minGapMs: number;
}

export const defaultPace: Pace = {
  hotPauseMs: 25,
  hotMs: 2_000,
  mildPauseMs: 250,
  mildMs: 30_000,
  coldPauseMsEach: 4,
  coldPauseMs: 1_000,
  minGapMs: 3,
};

/** The pause after a poll, by the time since the last lines and the number of feeds that poll. */
export function pauseAfter(pace: Pace, calmMs: number, feeds: number): number {
  if (calmMs < pace.hotMs) return pace.hotPauseMs;
  if (calmMs < pace.hotMs + pace.mildMs) return pace.mildPauseMs;
  const share = Math.max(pace.mildPauseMs, feeds * pace.coldPauseMsEach);
  return Math.min(share, pace.coldPauseMs);
}

/** Counts the feeds of a process that poll. */
export class PollingFeeds {
  count = 0;

  /** Counts a feed until the returned function is called, which may be called once. */
  add(): () => void {
    this.count += 1;
    return () => {
      this.count -= 1;
    };
  }
}
