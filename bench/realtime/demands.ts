// The figures of realtime and their bars.

import { at, perSecond, rate, type Bars, type Demand } from '../demands.js';
import type { Measurement, SeriesKey } from '../rate-book.js';

const BYTES_OF_KILOBYTE = 1_000;
const CROWDED_CLIENTS = 24;
const FAN_OUT_SOCKETS = 1_000;
const BURST_SOCKETS = 500;
const INGEST_SOCKETS = 100;
const STORM_SOCKETS = 100;

export const ROW_PLAIN = at('plain-table', 'row-insert', 1);
export const ROW_CAPTURED = at('product', 'row-insert', 1);
export const ROW_QUIET = at('product', 'row-insert-quiet', 1);
export const BULK_PLAIN = at('plain-table', 'rows-insert', 1);
export const BULK_CAPTURED = at('product', 'rows-insert', 1);
export const BULK_QUIET = at('product', 'rows-insert-quiet', 1);
export const CROWDED_PLAIN = at('plain-table', 'row-insert-crowd', CROWDED_CLIENTS);
export const CROWDED_CAPTURED = at('product', 'row-insert-crowd', CROWDED_CLIENTS);
export const API_WRITE = at('product', 'api-write', 1);
export const SQL_HOT = at('product', 'sql-write', 1);
export const SQL_CALM = at('product', 'sql-write-calm', 1);
export const SQL_COLD = at('product', 'sql-write-cold', 1);
export const DECIDE_SHARED = at('product', 'decide-shared', 1);
export const DECIDE_MANY_SHARED = at('product', 'decide-many-shared', 1);
export const DECIDE_SIMPLE = at('product', 'decide-simple', 1);
export const DECIDE_MANY_SIMPLE = at('product', 'decide-many-simple', 1);
export const USER_QUERIES = at('user-queries', 'decide-shared', 1);
export const TOPIC_RIGHTS = at('product', 'topic-rights', 1);
export const FAN_OUT_RAW = at('raw-socket', 'fan-out', FAN_OUT_SOCKETS);
export const FAN_OUT_SOCKET_IO = at('socket-io', 'fan-out', FAN_OUT_SOCKETS);
export const FAN_OUT = at('product', 'fan-out', FAN_OUT_SOCKETS);
export const BURST_RAW = at('raw-socket', 'burst', BURST_SOCKETS);
export const BURST_SOCKET_IO = at('socket-io', 'burst', BURST_SOCKETS);
export const BURST = at('product', 'burst', BURST_SOCKETS);
export const CONNECTED = at('product', 'connect', 1);
export const JOINED = at('product', 'join', 1);
export const ROW_TO_ALL = at('product', 'row-to-all', 1);
export const MESSAGE_TO_ALL = at('product', 'message-to-all', 1);
export const DEACTIVATED = at('product', 'deactivate', 1);
export const RESUMED = at('product', 'resume', 1);
export const INGEST = at('product', 'ingest', INGEST_SOCKETS);
export const NEIGHBOR_ALONE = at('product', 'neighbor', 1);
export const NEIGHBOR_STORM = at('product', 'neighbor-storm', 1);
export const STORM = at('product', 'storm', STORM_SOCKETS);

/** How many times as long the second takes as the first. */
function slowdown(title: string, [plain, other]: readonly [SeriesKey, SeriesKey], bars: Bars) {
  const demand: Demand = {
    title,
    unit: 'x',
    better: 'lower',
    of: [plain, other],
    ...bars,
    value: ({ rates }) => rates.ratio(plain, other),
  };
  return demand;
}

type Field = Exclude<keyof Measurement, 'perSecond'>;

function reading(
  title: string,
  key: SeriesKey,
  { field, unit, per = 1 }: { field: Field; unit: Demand['unit']; per?: number },
  bars: Bars = {},
): Demand {
  return {
    title,
    unit,
    better: 'lower',
    of: [key],
    ...bars,
    value({ rates }) {
      const value = rates.median(key, (measured) => measured[field]);
      return value === undefined ? undefined : value / per;
    },
  };
}

function middle(title: string, key: SeriesKey, bars: Bars = {}): Demand {
  return reading(title, key, { field: 'p50Ms', unit: 'ms' }, bars);
}

function cpuOf(title: string, key: SeriesKey, bars: Bars = {}): Demand {
  return reading(title, key, { field: 'cpuMicros', unit: 'us' }, bars);
}

function kilobytes(title: string, key: SeriesKey, field: Field, bars: Bars = {}): Demand {
  return reading(title, key, { field, unit: 'kB', per: BYTES_OF_KILOBYTE }, bars);
}

/** The CPU time of an event for one socket, by that of another server in the same round. */
function cpuRatio(title: string, [over, under]: readonly [SeriesKey, SeriesKey], bars: Bars) {
  const demand: Demand = {
    title,
    unit: 'x',
    better: 'lower',
    of: [over, under],
    ...bars,
    value: ({ rates }) => rates.ratio(over, under, ({ cpuMicros }) => cpuMicros),
  };
  return demand;
}

const CAPTURE_DEMANDS: readonly Demand[] = [
  slowdown('insert with changes / without', [ROW_PLAIN, ROW_CAPTURED], {
    demand: 1.35,
    stretch: 1.2,
  }),
  slowdown('insert with changes that no client asks for / without', [ROW_PLAIN, ROW_QUIET], {}),
  slowdown('1,000-row insert with changes / without', [BULK_PLAIN, BULK_CAPTURED], {
    demand: 3.5,
    stretch: 2.5,
  }),
  slowdown(
    '1,000-row insert with changes that no client asks for / without',
    [BULK_PLAIN, BULK_QUIET],
    { stretch: 1.1 },
  ),
  rate('inserts of 24 clients with changes / without', [CROWDED_CAPTURED, CROWDED_PLAIN], {
    demand: 0.65,
    stretch: 0.8,
  }),
];

const DELAY_DEMANDS: readonly Demand[] = [
  middle('from a write over the API to its client, p50', API_WRITE, { demand: 10, stretch: 5 }),
  middle('from a write by SQL to its client, while others write, p50', SQL_HOT, {
    demand: 200,
    stretch: 40,
  }),
  middle('the same after 3 s without a write, p50', SQL_CALM, { demand: 200 }),
  middle('the same after 33 s without a write', SQL_COLD, { demand: 200 }),
  middle('1,000 changes after 30 s away', RESUMED, { demand: 2_000, stretch: 500 }),
  middle('from a deactivation to the last frame of its user, p50', DEACTIVATED, {
    demand: 1_000,
    stretch: 200,
  }),
];

const DECISION_DEMANDS: readonly Demand[] = [
  perSecond('decisions with a sub-select, 1 change by 10,000 users', DECIDE_SHARED, {
    demand: 40_000,
  }),
  perSecond('decisions with a sub-select, 100 changes by 1,000 users', DECIDE_MANY_SHARED, {
    demand: 250_000,
  }),
  middle('1 change by 10,000 users, sub-select', DECIDE_SHARED, { demand: 250, stretch: 30 }),
  middle('1 change by 10,000 users, simple policy', DECIDE_SIMPLE, { demand: 15, stretch: 5 }),
  middle('100 changes by 10,000 users, simple policy', DECIDE_MANY_SIMPLE, {
    demand: 100,
    stretch: 15,
  }),
  rate('decisions / a transaction for each user, 1 change', [DECIDE_SHARED, USER_QUERIES], {
    demand: 25,
  }),
  rate('decisions / a transaction for each user, 100 changes', [DECIDE_MANY_SHARED, USER_QUERIES], {
    stretch: 100,
  }),
  middle('rights in a private topic, p50', TOPIC_RIGHTS, { demand: 1, stretch: 0.4 }),
];

const FAN_OUT_DEMANDS: readonly Demand[] = [
  cpuRatio('CPU of a message to 1,000 / a frame that is written to each', [FAN_OUT, FAN_OUT_RAW], {
    demand: 1.5,
    stretch: 1.1,
  }),
  cpuRatio('the same of Socket.IO to a room', [FAN_OUT_SOCKET_IO, FAN_OUT_RAW], {}),
  cpuOf('CPU of a message, each of 1,000 sockets', FAN_OUT),
  cpuOf('CPU of a change of 20 in a transaction, each of 500 sockets', BURST, { demand: 0.7 }),
  cpuRatio('the same / an event of Socket.IO for each', [BURST, BURST_SOCKET_IO], {
    demand: 1 / 10,
    stretch: 1 / 15,
  }),
  cpuRatio('the same / one frame of 20 that is written to each', [BURST, BURST_RAW], {}),
  perSecond('changes to 100 clients', INGEST, { demand: 10_000, stretch: 20_000 }),
];

const MANY_DEMANDS: readonly Demand[] = [
  perSecond('many sockets: connections', CONNECTED),
  perSecond('joins with a table', JOINED),
  kilobytes('memory of an idle connection', CONNECTED, 'grownBytes', { demand: 30, stretch: 20 }),
  kilobytes('of it the heap', CONNECTED, 'grownHeapBytes'),
  kilobytes('memory of a connection that has joined', JOINED, 'grownBytes'),
  middle('one change to all, each with a decision of its own', ROW_TO_ALL),
  middle('one message to all', MESSAGE_TO_ALL),
];

const STORM_DEMANDS: readonly Demand[] = [
  middle('from a write to its client, the other project at rest, p50', NEIGHBOR_ALONE),
  middle('the same in a storm of the other project, p50', NEIGHBOR_STORM),
  reading('the same in a storm of the other project, p99', NEIGHBOR_STORM, {
    field: 'p99Ms',
    unit: 'ms',
  }),
  perSecond('changes of the storm to 100 clients', STORM),
];

export const REALTIME_DEMANDS: readonly Demand[] = [
  ...CAPTURE_DEMANDS,
  ...DELAY_DEMANDS,
  ...DECISION_DEMANDS,
  ...FAN_OUT_DEMANDS,
  ...MANY_DEMANDS,
  ...STORM_DEMANDS,
];
