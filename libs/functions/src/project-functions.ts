// The functions of one project in this process of the server.
import { chown, mkdtemp, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';

import { AppError, fail } from '#libs/errors';

import { type Code, findCode, folderName, removeOldCode } from './code-folder.js';
import { FunctionProcess } from './function-process.js';
import { type OwnApi, openOwnApi } from './own-api.js';
import type { Placement } from './placement.js';
import type { Place, Places } from './places.js';
import { prepareCode } from './prepare.js';
import { openProjectFolders, type ProjectFolders } from './project-folders.js';
import { RunningVersion } from './running-version.js';
import { isReservedVariable, processCommand } from './sandbox.js';
import { Turns } from './turns.js';
import type {
  FunctionLogLine,
  FunctionReply,
  FunctionRequest,
  FunctionsProject,
  FunctionVersion,
  Prepared,
  ProjectFunctions,
} from './types.js';

/** What the functions of all projects share. */
export interface SharedParts {
  readonly placement: () => Promise<Placement>;
  readonly places: Places;
  readonly checks: Turns;
  readonly npmRegistry: URL | undefined;
  readonly now: () => number;
  readonly onClosed: (functions: ProjectFunctions) => void;
}

/** What the process of a project needs besides its version. */
interface Grounds {
  readonly placement: Placement;
  readonly folders: ProjectFolders;
  readonly ownApi: OwnApi;
}

interface ProcessParts {
  readonly code: Code;
  readonly grounds: Grounds;
  readonly place: Place;
  readonly onError: ((message: string) => void) | undefined;
}

const maxReason = 2_000;
const variableName = /^[A-Za-z_]\w*$/;

export class OpenFunctions implements ProjectFunctions {
  /** By {@link keyOf}. */
  readonly #versions = new Map<string, RunningVersion>();
  readonly #codes = new Map<string, Promise<Code>>();
  readonly #processes = new Set<FunctionProcess>();
  /** So that others get a turn at the checks of the host. */
  readonly #checks = new Turns(1);
  #grounds: Promise<Grounds> | undefined;
  #isClosed = false;

  constructor(
    private readonly project: FunctionsProject,
    private readonly shared: SharedParts,
  ) {}

  async prepare(version: FunctionVersion): Promise<Prepared> {
    const { placement, folders } = await this.#ensureGrounds();
    const { code, lock } = await this.#check(version, { placement, folders });
    this.#codes.set(code.folder, Promise.resolve(code));
    const running = [...this.#versions.values()].map((each) => folderName(each.version));
    const inUse = new Set(running.map((name) => join(folders.code, name)));
    const removed = await removeOldCode(folders.code, version.slug, inUse);
    for (const folder of removed) this.#codes.delete(folder);
    return { lock };
  }

  async tryStart(version: FunctionVersion): Promise<void> {
    const lines: string[] = [];
    try {
      const process = await this.#openProcess(version, (line) => lines.push(line));
      await process.end('closed');
    } catch (error) {
      const code = error instanceof AppError ? error.code : undefined;
      if (code === 'FUNCTIONS_UNAVAILABLE') return;
      if (code !== 'FUNCTION_CRASHED' && code !== 'FUNCTION_TIMEOUT') throw error;
      const words = lines.join('\n').slice(0, maxReason);
      throw fail('FUNCTION_REFUSED', { reason: words || 'it ends, or computes on, as it starts' });
    }
  }

  async invoke(version: FunctionVersion, request: FunctionRequest): Promise<FunctionReply> {
    this.#checkOpen();
    const key = keyOf(version);
    let running = this.#versions.get(key);
    if (running === undefined) {
      running = this.#openVersion(key, version);
      this.#versions.set(key, running);
    }
    return await running.invoke(request);
  }

  keepOnly(slug: string, version: number | undefined): void {
    for (const running of this.#versions.values()) {
      const other = running.version;
      if (other.slug === slug && other.version !== version) running.endWhenQuiet();
    }
  }

  restart(): void {
    for (const running of this.#versions.values()) running.restart();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#processes].map((process) => process.end('closed')));
    const grounds = await this.#grounds?.catch(() => undefined);
    await grounds?.ownApi.close();
    this.shared.onClosed(this);
  }

  #openVersion(key: string, version: FunctionVersion): RunningVersion {
    const { now } = this.shared;
    const running: RunningVersion = new RunningVersion(version, {
      now,
      limits: this.project.limits,
      openProcess: () => this.#openProcess(version),
      onInvocation: (invocation) => {
        this.#report(() => this.project.onInvocation(invocation), 'recording a call of a function');
      },
      onQuiet: () => {
        if (this.#versions.get(key) === running) this.#versions.delete(key);
      },
    });
    return running;
  }

  /** `onError` gets what the process writes about its failures. */
  async #openProcess(
    version: FunctionVersion,
    onError?: (message: string) => void,
  ): Promise<FunctionProcess> {
    const grounds = await this.#ensureGrounds();
    const code = await this.#codeOf(version, grounds);
    const place = await this.shared.places.acquire(this);
    let started: FunctionProcess | undefined;
    try {
      started = await this.#startProcess(version, { code, grounds, place, onError });
      await started.ready;
      return started;
    } catch (error) {
      if (started === undefined) this.shared.places.release(place);
      throw error;
    }
  }

  /** Its place is released when the process ends. */
  async #startProcess(
    version: FunctionVersion,
    { code, grounds: { placement, folders, ownApi }, place, onError }: ProcessParts,
  ): Promise<FunctionProcess> {
    const { account } = folders;
    const variables = await this.#variables(version.slug);
    const folder = await mkdtemp(join(placement.sockets, 'f'));
    if (account !== undefined) await chown(folder, account.uid, account.gid);
    this.#checkOpen();
    const limits = this.project.limits();
    const socket = join(folder, 's');
    const command = processCommand({
      placement,
      folders,
      code,
      npmRegistry: this.shared.npmRegistry,
      socket,
      ownApi: ownApi.socket,
      projectUrl: this.project.url(),
      variables,
      memoryMb: limits.memoryMb,
    });
    const process = new FunctionProcess({
      slug: version.slug,
      command,
      socket,
      memoryMb: limits.memoryMb,
      limits: this.project.limits,
      now: this.shared.now,
      onLine: ({ level, message, requestId, at }) => {
        const text = shorten(message, code);
        // A frame of the platform alone.
        if (text === '' && message !== '') return;
        if (level === 'error') onError?.(text);
        const about = requestId === undefined ? {} : { requestId };
        this.#log({
          slug: version.slug,
          version: version.version,
          level,
          message: text,
          at,
          ...about,
        });
      },
      onIdle: () => this.shared.places.changed(),
    });
    place.holder = process;
    this.#processes.add(process);
    void process.exited.then(async () => {
      this.#processes.delete(process);
      this.shared.places.release(place);
      await removeSocket(folder, socket).catch((error: unknown) => {
        this.project.onError(error, 'removing the socket of a function');
      });
    });
    return process;
  }

  /** The environment of a process. Our names win over those of secrets. */
  async #variables(slug: string): Promise<Readonly<Record<string, string>>> {
    const secrets = Object.entries(await this.project.secrets());
    const allowed = secrets.filter(
      ([name]) => variableName.test(name) && !isReservedVariable(name),
    );
    const url = this.project.url().origin;
    return {
      ...Object.fromEntries(allowed),
      ROWHOUSE_URL: url,
      SUPABASE_URL: url,
      ROWHOUSE_FUNCTION: slug,
    };
  }

  /** Another process of the server may have checked the version: then this machine has it or gets it now. */
  #codeOf(version: FunctionVersion, { placement, folders }: Grounds): Promise<Code> {
    const folder = join(folders.code, folderName(version));
    const known = this.#codes.get(folder);
    if (known !== undefined) return known;
    const found = findCode(folder, version).then(
      async (code) => code ?? (await this.#check(version, { placement, folders })).code,
    );
    this.#codes.set(folder, found);
    found.catch(() => this.#codes.delete(folder));
    return found;
  }

  #check(version: FunctionVersion, place: Pick<Grounds, 'placement' | 'folders'>) {
    const { checks, npmRegistry } = this.shared;
    return this.#checks.run(() =>
      checks.run(() => {
        this.#checkOpen();
        return prepareCode(version, { ...place, npmRegistry });
      }),
    );
  }

  #ensureGrounds(): Promise<Grounds> {
    this.#checkOpen();
    this.#grounds ??= this.#prepareGrounds().catch((error: unknown) => {
      this.#grounds = undefined;
      throw error;
    });
    return this.#grounds;
  }

  async #prepareGrounds(): Promise<Grounds> {
    const placement = await this.shared.placement();
    const folders = await openProjectFolders(placement, this.project.ref);
    const ownApi = await openOwnApi(placement.sockets, folders.account, this.project);
    return { placement, folders, ownApi };
  }

  #checkOpen(): void {
    if (this.#isClosed) throw fail('SHUTTING_DOWN');
  }

  #log(line: FunctionLogLine): void {
    this.#report(() => this.project.onLog(line), 'keeping a line of the log of a function');
  }

  /** A fault of the log must not end the request that it is about. */
  #report(work: () => void, doing: string): void {
    try {
      work();
    } catch (error) {
      this.project.onError(error, doing);
    }
  }
}

function keyOf({ slug, version }: FunctionVersion): string {
  return `${slug}@${version}`;
}

/** The user of the project can write there: nothing below is followed. */
async function removeSocket(folder: string, socket: string): Promise<void> {
  await rm(socket, { force: true });
  await rmdir(folder);
}

/** A line of a stack within the platform's own code. */
const ownFrame = /\n?[ \t]*at [^\n]*\/boot\.js:\d+[^\n]*/g;

/** Paths as seen from the folder of functions: where that is on the server is not for the log of a project. */
function shorten(message: string, { readable }: Code): string {
  return message
    .replaceAll(ownFrame, '')
    .replaceAll(`file://${readable}/`, '')
    .replaceAll(`${readable}/`, '');
}
