// The right to write to an upload. It is a mark in the row and not a lock, so that no connection is held while
// bytes flow; it is prolonged for as long as its holder lives.
import { randomUUID } from 'node:crypto';

import { fail } from '#libs/errors';
import type { ProjectRuntime } from '#libs/project-runtime';

import {
  giveLeaseBack,
  keepProgress,
  leaseSeconds,
  prolongLease,
  takeLease,
  type UploadProgress,
} from './resumable.sql.js';

const prolongMs = (leaseSeconds * 1000) / 3;

export class UploadLease {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private current: UploadProgress;
  private heldUntil: number;
  private isOver = false;

  private constructor(
    private readonly project: ProjectRuntime,
    private readonly mark: { readonly id: string; readonly holder: string },
    held: { readonly progress: UploadProgress; readonly askedAt: number },
  ) {
    this.current = held.progress;
    this.heldUntil = held.askedAt + leaseSeconds * 1000;
    this.timer = setInterval(() => this.tick(), prolongMs).unref();
  }

  /** Takes the lease on an upload; returns undefined if another writer has it or the upload does not exist. */
  static async take(project: ProjectRuntime, id: string): Promise<UploadLease | undefined> {
    const holder = randomUUID();
    const askedAt = performance.now();
    const progress = await takeLease(project, id, holder);
    return progress && new UploadLease(project, { id, holder }, { progress, askedAt });
  }

  /** How far the upload is, as it is kept. */
  get progress(): UploadProgress {
    return this.current;
  }

  /** Aborts when the lease is lost: another writer may write from then on. */
  get lost(): AbortSignal {
    return this.controller.signal;
  }

  /** Keeps how far the upload is. Throws UPLOAD_BUSY (423) when the lease is lost. */
  async keep(progress: UploadProgress): Promise<void> {
    const askedAt = performance.now();
    if (this.lost.aborted || !(await keepProgress(this.project, this.mark, progress))) {
      this.lose();
      throw fail('UPLOAD_BUSY');
    }
    this.current = progress;
    this.heldUntil = askedAt + leaseSeconds * 1000;
  }

  /** Forgets the lease, because the upload is gone. */
  drop(): void {
    this.isOver = true;
    clearInterval(this.timer);
  }

  /** Does nothing if the lease is over. */
  async giveBack(): Promise<void> {
    if (this.isOver) return;
    this.drop();
    const { id, holder } = this.mark;
    await giveLeaseBack(this.project, id, holder);
  }

  private tick(): void {
    if (performance.now() >= this.heldUntil) this.lose();
    else void this.prolong();
  }

  private async prolong(): Promise<void> {
    const askedAt = performance.now();
    const { id, holder } = this.mark;
    try {
      if (await prolongLease(this.project, id, holder)) {
        this.heldUntil = askedAt + leaseSeconds * 1000;
      } else this.lose();
    } catch {
      // The database may answer the next time; until then the lease runs.
    }
  }

  private lose(): void {
    this.drop();
    this.controller.abort(fail('UPLOAD_BUSY'));
  }
}
