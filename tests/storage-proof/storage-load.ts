// Sixteen clients who change the files of one bucket at random, and note what they were told. Each of them goes on
// until the load is over; a server that is away is waited for.
import { setTimeout as delay } from 'node:timers/promises';

import { Chance } from '../soak/chance.js';
import { asRecord } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { contentOf, seedOf } from './content.js';
import { type ByteAnswer, type ByteCall, exchange, jsonOf, wasNotSent } from './exchange.js';
import { type Effect, KeyHistory } from './key-history.js';

const clients = 16;
const keyCount = 48;
const maxBytes = 3_000_000;
export const bucket = 'docs';

const WEIGHTS = { put: 4, form: 2, replace: 6, delete: 3, copy: 3, move: 3, read: 5, presign: 5 };
type Step = keyof typeof WEIGHTS;
/** Only where the store has URLs of its own. */
const localWeights = { ...WEIGHTS, presign: 0 };

export class StorageLoad {
  readonly history = new KeyHistory();
  /** What no client may ever see. */
  readonly violations: string[] = [];
  /** Answered changes by their kind. */
  readonly tally: Record<Step, number> = Object.fromEntries(
    Object.keys(WEIGHTS).map((step) => [step, 0]),
  ) as Record<Step, number>; // The keys are those of the record.
  /** Requests that the server was lost over. */
  lost = 0;
  private readonly chance: Chance;
  /** Versions and the number of the content that they name. */
  private readonly seedOfTag = new Map<string, number>();
  /** Keys that are the source of a move or a deletion: both find the file first and change what they have found. */
  private readonly held = new Set<string>();
  private seeds = 0;
  private steps = 0;
  private isOver = false;

  constructor(
    private readonly project: ProjectUnderTest,
    private readonly options: { readonly kind: 'local' | 's3'; readonly seed: number },
  ) {
    this.chance = new Chance(options.seed);
  }

  /** Runs until the function that it gives back is called; that resolves when all clients have ended. */
  start(): () => Promise<void> {
    this.isOver = false;
    const running = Promise.all(Array.from({ length: clients }, () => this.runClient()));
    return async () => {
      this.isOver = true;
      await running;
    };
  }

  /** Resolves when so many steps more have ended, and a moment that nobody chose has passed. */
  async untilSteps(count: number): Promise<void> {
    const goal = this.steps + count;
    while (this.steps < goal) await delay(5);
    await delay(this.chance.below(40));
  }

  private async runClient(): Promise<void> {
    while (!this.isOver) {
      const step = this.chance.weighted(this.options.kind === 's3' ? WEIGHTS : localWeights);
      try {
        // One client does one thing after the other.
        await this[step]();
        this.tally[step] += 1;
        this.steps += 1;
      } catch (error) {
        if (!wasNotSent(error)) this.lost += 1;
        await delay(20);
      }
    }
  }

  private ask(call: ByteCall): Promise<ByteAnswer> {
    const headers = { apikey: this.project.secretKey, ...call.headers };
    return exchange(this.project, { ...call, headers });
  }

  private post(path: string, body: object): Promise<ByteAnswer> {
    return this.ask({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
    });
  }

  /** Notes what a request does to keys before it is sent, and what became of it. */
  private async change(
    effects: Readonly<Record<string, Effect>>,
    send: () => Promise<ByteAnswer>,
  ): Promise<ByteAnswer> {
    const changes = Object.entries(effects).map(([key, effect]) => ({
      effect,
      ...this.history.begin(key, effect),
    }));
    let answer: ByteAnswer;
    try {
      answer = await send();
    } catch (error) {
      if (wasNotSent(error)) changes.forEach(({ refused }) => refused());
      throw error;
    }
    const { status } = answer;
    if (status === 200 || status === 201) {
      for (const { effect, done } of changes)
        done(effect === 'unknown' ? toldSeed(answer) : effect);
    } else {
      if (![404, 409].includes(status)) {
        this.violations.push(`${Object.keys(effects).join()}: ${status} ${String(answer.bytes)}`);
      }
      changes.forEach(({ refused }) => refused());
    }
    return answer;
  }

  private key(): string {
    return `folder ${this.chance.below(4)}/${this.chance.below(keyCount / 4)}.bin`;
  }

  private content(): { readonly seed: number; readonly bytes: Buffer } {
    const seed = (this.seeds += 1);
    const limit = this.chance.pick([1, 20, 5000, 200_000, maxBytes]) ?? 1;
    return { seed, bytes: contentOf(seed, this.chance.below(limit)) };
  }

  private upload(isReplacing: boolean): Promise<ByteAnswer> {
    const { seed, bytes: body } = this.content();
    const key = this.key();
    const path = `${objectPath(key)}?upsert=${isReplacing}&metadata=${metadataOf(seed)}`;
    return this.change({ [key]: seed }, () => this.ask({ method: 'PUT', path, body }));
  }

  private async put(): Promise<void> {
    await this.upload(false);
  }

  private async replace(): Promise<void> {
    await this.upload(true);
  }

  private async form(): Promise<void> {
    const { seed, bytes } = this.content();
    const key = this.key();
    const path = `/api/files/?upsert=true&bucket=${bucket}&path=${encodeURIComponent(key)}&metadata=${metadataOf(seed)}`;
    const head = 'content-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';
    const body = Buffer.concat([
      Buffer.from(`--x\r\n${head}`),
      bytes,
      Buffer.from('\r\n--x--\r\n'),
    ]);
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    await this.change({ [key]: seed }, () => this.ask({ method: 'POST', path, headers, body }));
  }

  private async delete(): Promise<void> {
    await this.holding(this.key(), (key) =>
      this.change({ [key]: 'nothing' }, () =>
        this.ask({ method: 'DELETE', path: objectPath(key) }),
      ),
    );
  }

  private async copy(): Promise<void> {
    const [from, to] = [this.key(), this.key()];
    if (from === to) return;
    const body = { bucket, from, to, upsert: true };
    await this.change({ [to]: 'unknown' }, () => this.post('/api/files/copy', body));
  }

  private async move(): Promise<void> {
    await this.holding(this.key(), async (from) => {
      const to = this.key();
      if (from === to) return;
      const body = { bucket, from, to, upsert: true };
      await this.change({ [from]: 'nothing', [to]: 'unknown' }, () =>
        this.post('/api/files/move', body),
      );
    });
  }

  private async holding(key: string, work: (key: string) => Promise<unknown>): Promise<void> {
    if (this.held.has(key)) return;
    this.held.add(key);
    try {
      await work(key);
    } finally {
      this.held.delete(key);
    }
  }

  private async read(): Promise<void> {
    const key = this.key();
    const answer = await this.ask({ path: objectPath(key) });
    if (answer.status === 404 && jsonCode(answer) === 'FILE_NOT_FOUND') return;
    const tag = answer.headers.etag ?? '';
    const seed = seedOf(answer.bytes);
    const known = this.seedOfTag.get(tag) ?? seed;
    if (answer.status !== 200 || seed === undefined || seed !== known) {
      this.violations.push(`read ${key}: ${answer.status}, content ${seed}, before ${known}`);
    } else {
      this.seedOfTag.set(tag, seed);
    }
  }

  private async presign(): Promise<void> {
    const { seed, bytes } = this.content();
    const key = this.key();
    const mime = 'application/octet-stream';
    const reserved = await this.post('/api/files/presign', {
      filename: 'a.bin',
      size: bytes.length,
      mime,
      bucket,
      path: key,
      upsert: true,
      metadata: { seed },
    });
    if (reserved.status !== 201) {
      this.violations.push(`presign: ${reserved.status} ${String(reserved.bytes)}`);
      return;
    }
    const { file, uploadUrl, requiredHeaders } = asRecord(asRecord(jsonOf(reserved))['data']);
    // The answer has texts as headers.
    const headers = requiredHeaders as Record<string, string>;
    const put = { method: 'PUT', path: String(uploadUrl), headers, body: bytes };
    const stored = await exchange(this.project, put);
    if (stored.status >= 300) this.violations.push(`PUT to the store: ${stored.status}`);
    const { id } = asRecord(file);
    await this.change({ [key]: seed }, () => this.post(`/api/files/${String(id)}/finalize`, {}));
  }
}

/** The address of a file by its key. */
export function objectPath(key: string): string {
  return `/api/files/object/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
}

function metadataOf(seed: number): string {
  return encodeURIComponent(JSON.stringify({ seed }));
}

/** The number of the content that an answer shows. */
function toldSeed(answer: ByteAnswer): number {
  const { metadata } = asRecord(asRecord(jsonOf(answer))['data']);
  return Number(asRecord(metadata)['seed']);
}

function jsonCode(answer: ByteAnswer): unknown {
  return asRecord(jsonOf(answer))['code'];
}
