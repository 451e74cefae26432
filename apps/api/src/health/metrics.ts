import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';

import type { ProjectRuntime } from '#libs/project-runtime';
import type { HubStats } from '#libs/realtime';
import { latencyBoundsMs } from '#libs/wire';

import type { ApiDeps } from '../http/api-deps.js';

const timedAreas = ['rest', 'auth', 'admin', 'functions', 'other'] as const;

/** Figures of channels, of each project: name, type, what it is, and where it comes from. */
const channelFigures: readonly (readonly [
  string,
  'gauge' | 'counter',
  string,
  (stats: HubStats) => number,
])[] = [
  [
    'rowhouse_realtime_connections',
    'gauge',
    'Open connections to channels',
    ({ connections }) => connections,
  ],
  ['rowhouse_realtime_channels', 'gauge', 'Joined channels', ({ channels }) => channels],
  [
    'rowhouse_realtime_lag_seconds',
    'gauge',
    'How far clients are behind the database',
    ({ lagMs }) => lagMs / 1000,
  ],
  [
    'rowhouse_realtime_frames_total',
    'counter',
    'Frames sent to clients',
    ({ framesSent }) => framesSent,
  ],
  [
    'rowhouse_realtime_frames_dropped_total',
    'counter',
    'Frames left out because their reader was slow',
    ({ framesDropped }) => framesDropped,
  ],
];

/** One line of a metric: its full name where a histogram has several, its labels, its value. */
interface Sample {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** The figures of the process and of every live project, for Prometheus. */
export class Metrics {
  readonly registry = new Registry();

  constructor(private readonly deps: ApiDeps) {
    collectDefaultMetrics({ register: this.registry, prefix: 'rowhouse_' });
    this.addGauges();
    this.addTraffic('rowhouse_requests_total', 'counter', 'Requests that ended', requestSamples);
    this.addTraffic('rowhouse_request_seconds', 'histogram', 'Time of requests', latencySamples);
  }

  /** The exposition text. */
  render(): Promise<string> {
    return this.registry.metrics();
  }

  private addGauges(): void {
    const { registry, budget } = this.deps;
    this.addGauge(
      'rowhouse_projects',
      'Projects held by this process, by state',
      ['state'],
      (gauge) => {
        const { live, draining } = registry.stats();
        gauge.set({ state: 'live' }, live);
        gauge.set({ state: 'draining' }, draining);
      },
    );
    this.addGauge('rowhouse_project_leases', 'Requests under way', [], (gauge) => {
      gauge.set(registry.stats().leases);
    });
    this.addGauge('rowhouse_connections', 'Database connections, by state', ['state'], (gauge) => {
      const { open, idle, waiting } = budget.stats();
      gauge.set({ state: 'idle' }, idle);
      gauge.set({ state: 'busy' }, open - idle);
      gauge.set({ state: 'waiting' }, waiting);
    });
    this.addReplies();
    this.addChannels();
    const labels = ['project', 'state'];
    this.addGauge('rowhouse_project_connections', 'Connections of a project', labels, (gauge) => {
      for (const project of registry.listLive()) {
        const { open, idle, waiting } = project.db.stats();
        const named = { project: project.record.ref };
        gauge.set({ ...named, state: 'idle' }, idle);
        gauge.set({ ...named, state: 'busy' }, open - idle);
        gauge.set({ ...named, state: 'waiting' }, waiting);
      }
    });
  }

  private addReplies(): void {
    const { replies, readerWatch } = this.deps;
    const help = 'Bytes of large replies that wait for their readers, by place';
    this.addGauge('rowhouse_reply_bytes', help, ['place'], (gauge) => {
      const { memoryBytes, spoolBytes } = replies.stats();
      gauge.set({ place: 'memory' }, memoryBytes);
      gauge.set({ place: 'spool' }, spoolBytes);
    });
    this.addCounter('rowhouse_replies_refused_total', 'Replies without room', () => {
      return replies.stats().refused;
    });
    this.addCounter('rowhouse_slow_readers_total', 'Connections closed for slow reading', () => {
      return readerWatch?.closed ?? 0;
    });
  }

  private addChannels(): void {
    for (const [name, type, help, read] of channelFigures) {
      this.addTraffic(name, type, help, (_name, project) => channelSamples(project, read));
    }
  }

  /** A number that another part of the process counts. */
  private addCounter(name: string, help: string, read: () => number): void {
    const counter: Counter = new Counter({
      name,
      help,
      registers: [this.registry],
      collect: () => {
        counter.reset();
        counter.inc(read());
      },
    });
  }

  private addGauge(
    name: string,
    help: string,
    labelNames: string[],
    fill: (gauge: Gauge) => void,
  ): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      collect: () => {
        gauge.reset();
        fill(gauge);
      },
    });
  }

  private addTraffic(
    name: string,
    type: 'counter' | 'histogram' | 'gauge',
    help: string,
    samplesOf: (name: string, project: ProjectRuntime) => Sample[],
  ): void {
    const { registry } = this.deps;
    const get = () =>
      Promise.resolve({
        name,
        help,
        type,
        aggregator: 'sum',
        values: registry.listLive().flatMap((project) => samplesOf(name, project)),
      });
    // The library renders whatever has a name and `get`; its types know its own metric classes only.
    this.registry.registerMetric({ name, get } as unknown as Gauge);
  }
}

function requestSamples(_name: string, { record, traffic }: ProjectRuntime): Sample[] {
  return traffic
    .listCounts()
    .filter(({ count }) => count > 0)
    .map(({ area, status, count }) => ({
      labels: { project: record.ref, area, status },
      value: count,
    }));
}

/** A figure of a project that has had a socket in this process. */
function channelSamples(
  { record, openRealtime }: ProjectRuntime,
  read: (stats: HubStats) => number,
): Sample[] {
  if (!openRealtime) return [];
  return [{ labels: { project: record.ref }, value: read(openRealtime.hub.stats()) }];
}

function latencySamples(name: string, { record, traffic }: ProjectRuntime): Sample[] {
  return timedAreas.flatMap((area) => {
    const { buckets, count, sumMs } = traffic.latencyOf(area);
    if (count === 0) return [];
    const labels = { project: record.ref, area };
    return [
      ...buckets.map((value, index) => ({
        metricName: `${name}_bucket`,
        labels: { ...labels, le: (latencyBoundsMs[index] ?? 0) / 1000 },
        value,
      })),
      { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
      { metricName: `${name}_sum`, labels, value: sumMs / 1000 },
      { metricName: `${name}_count`, labels, value: count },
    ];
  });
}
