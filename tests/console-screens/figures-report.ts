// The figures of the console as tables, and which of them miss their limits.

/** A screen that was opened once. */
export interface Opening {
  /** From the click, or the beginning of the navigation, until the screen can be used and is painted. */
  readonly ms: number;
  /** The paths of the most requests of which each began after the one before had ended. */
  readonly chain: readonly string[];
  /** JavaScript that was loaded until then, as it is sent: compressed, without headers. */
  readonly scriptBytes: number;
  /** Cumulative layout shift, until everything is loaded. */
  readonly shift: number;
  /** What has moved. */
  readonly shifted: readonly string[];
}

export interface ScreenFigures {
  readonly title: string;
  /** Opened by its address and not by a click. */
  readonly isByAddress: boolean;
  readonly cold: readonly Opening[];
  readonly warm: readonly Opening[];
}

export interface FirstLoad {
  readonly openings: readonly Opening[];
  /** Received bytes by the kind of their request. */
  readonly bytes: ReadonlyMap<string, number>;
}

/** A table that was scrolled by `step` pixels in each frame. */
export interface Frames {
  readonly name: string;
  readonly step: number;
  /** Milliseconds between one frame and the next. */
  readonly times: readonly number[];
}

export interface Figures {
  readonly first: FirstLoad;
  readonly figures: readonly ScreenFigures[];
  readonly frames: readonly Frames[];
}

const limits = {
  firstScriptBytes: 130_000,
  scriptBytes: 200_000,
  chain: 2,
  warmMs: 100,
  coldMs: 500,
  framesPerSecond: 60,
} as const;
/** Screens show 60 frames a second, by clocks that are not quite even. */
const leastFramesPerSecond = limits.framesPerSecond - 1;
/** What rounds to 0.00 was not seen. */
export const leastShift = 0.005;

export function renderFigures({ first, figures, frames }: Figures): string {
  const screens = table(
    ['Screen', 'Warm', 'Cold', 'JavaScript', 'Requests in a row', 'Layout shift'],
    [firstScreen(first), ...figures].map(({ title, isByAddress, warm, cold }) => [
      title,
      warm.length === 0 ? '' : inMs(median(warm.map(({ ms }) => ms))),
      `${inMs(median(cold.map(({ ms }) => ms)))}${isByAddress ? ' (by its address)' : ''}`,
      inKb(mostScriptBytes(cold)),
      String(chainOf(cold).length),
      shiftOf([...warm, ...cold]).toFixed(2),
    ]),
  );
  const scrolls = table(
    ['Scrolling 100,000 rows', 'Rows in each frame', 'Frames per second', 'Longest frame'],
    frames.map(({ name, step, times }) => [
      name,
      (step / rowPx).toFixed(step < 10 * rowPx ? 1 : 0),
      framesPerSecond(times).toFixed(1),
      inMs(Math.max(...times)),
    ]),
  );
  return [describeFirst(first), screens, scrolls].join('\n\n');
}

const rowPx = 33;

const firstScreen = ({ openings }: FirstLoad): ScreenFigures => ({
  title: 'First load',
  isByAddress: true,
  cold: openings,
  warm: [],
});

/** Sentences about bytes, requests in a row and layout shift above their limits: each machine finds the same. */
export function misses({ first, figures }: Figures): readonly string[] {
  return [
    ...missesOf(firstScreen(first), limits.firstScriptBytes),
    ...figures.flatMap((screen) => missesOf(screen, limits.scriptBytes)),
  ];
}

/** Sentences about times that are above their limits on this machine. */
export function slow({ figures, frames }: Figures): readonly string[] {
  return [
    ...figures.flatMap(slowOf),
    ...frames
      .filter(({ times }) => framesPerSecond(times) < leastFramesPerSecond)
      .map(({ name, times }) => `scrolling (${name}): ${framesPerSecond(times).toFixed(1)} fps`),
  ];
}

function slowOf({ title, isByAddress, warm, cold }: ScreenFigures): readonly string[] {
  const warmMs = median(warm.map(({ ms }) => ms));
  const coldMs = median(cold.map(({ ms }) => ms));
  return [
    ...(warmMs > limits.warmMs ? [`${title}: warm ${inMs(warmMs)}`] : []),
    ...(!isByAddress && coldMs > limits.coldMs ? [`${title}: cold ${inMs(coldMs)}`] : []),
  ];
}

function missesOf({ title, warm, cold }: ScreenFigures, maxBytes: number): readonly string[] {
  const bytes = mostScriptBytes(cold);
  const chain = chainOf(cold);
  const all = [...warm, ...cold];
  const moved = [...new Set(all.flatMap(({ shifted }) => shifted))].join(', ');
  return [
    ...(bytes > maxBytes ? [`${title}: ${inKb(bytes)} of JavaScript`] : []),
    ...(chain.length > limits.chain
      ? [`${title}: ${chain.length} requests in a row: ${chain.join(', ')}`]
      : []),
    ...(shiftOf(all) >= leastShift
      ? [`${title}: layout shift ${shiftOf(all).toFixed(3)} of ${moved}`]
      : []),
  ];
}

/** The middle of the numbers, or the mean of both middles; 0 without any. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? upper)) / 2;
}

export function framesPerSecond(times: readonly number[]): number {
  const ms = times.reduce((sum, time) => sum + time, 0);
  return ms === 0 ? 0 : (times.length / ms) * 1000;
}

/** The shortest one: requests that wait for each other do so each time, and others follow each other by chance. */
const chainOf = (openings: readonly Opening[]): readonly string[] =>
  openings.map(({ chain }) => chain).toSorted((one, other) => one.length - other.length)[0] ?? [];

const mostScriptBytes = (openings: readonly Opening[]): number =>
  Math.max(0, ...openings.map(({ scriptBytes }) => scriptBytes));

/** The most that an opening has moved. */
function shiftOf(openings: readonly Opening[]): number {
  return Math.max(0, ...openings.map(({ shift }) => shift));
}

function describeFirst({ openings, bytes }: FirstLoad): string {
  const parts = [...bytes].map(([kind, count]) => `${kind.toLowerCase()} ${inKb(count)}`);
  const all = [...bytes.values()].reduce((sum, count) => sum + count, 0);
  const ms = inMs(median(openings.map((opening) => opening.ms)));
  return `First load of the list of projects, with headers and what is loaded after it: ${inKb(all)} (${parts.join(', ')}), usable in ${ms}`;
}

const inMs = (ms: number): string => `${Math.round(ms)} ms`;
const inKb = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, at) =>
    Math.max(name.length, ...rows.map((row) => (row[at] ?? '').length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
