// What goes into the running of functions and what comes out of it. A function is code of a project that answers HTTP
// requests; each version of it runs in a process of its own.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/** One version of a function, as it was deployed. It never changes. */
export interface FunctionVersion {
  readonly slug: string;
  readonly version: number;
  /** The path of the file that answers, such as `index.ts`. */
  readonly entrypoint: string;
  /**
   * Texts by path, as seen from the folder of the function: `index.ts`, `lib/db.ts`; files that functions share begin
   * with `../`, such as `../_shared/cors.ts`, `../deno.json`.
   */
  readonly files: Readonly<Record<string, string>>;
  /** The lock file of its imports, which {@link ProjectFunctions.prepare} has written; null before. */
  readonly lock: string | null;
}

/** The limits of a function; a project has settings for them. */
export interface FunctionLimits {
  /** Heap of JavaScript, in megabytes. */
  readonly memoryMb: number;
  /** Processor time of the process without one request that ends, in seconds. */
  readonly cpuSeconds: number;
  /** From the request to the end of its answer, in seconds. */
  readonly timeoutSeconds: number;
  /** Requests that a version answers at the same time. */
  readonly concurrency: number;
  /** Requests of a version that wait for their turn. */
  readonly queue: number;
  readonly maxRequestBytes: number;
  readonly maxResponseBytes: number;
}

/** What a line of the log says. */
export interface FunctionLogLine {
  readonly slug: string;
  readonly version: number;
  readonly level: 'debug' | 'info' | 'log' | 'warn' | 'error';
  /** 10,000 characters at most. */
  readonly message: string;
  /** Of the request that was answered; absent for what is outside of all. */
  readonly requestId?: string;
  readonly at: Date;
}

/** A call, when it has ended. */
export interface FunctionInvocation {
  readonly slug: string;
  readonly version: number;
  readonly requestId: string;
  readonly method: string;
  /** Below the route, with a slash in front and without the query. */
  readonly path: string;
  /** Of the answer that the client got. */
  readonly status: number;
  /** The code of the error, if the function has not answered. */
  readonly code?: string;
  readonly durationMs: number;
  /** Processor time of the process meanwhile; other requests at the same time count too. */
  readonly cpuMs: number;
  /** Memory of the process at the end. */
  readonly memoryKb: number;
  readonly isColdStart: boolean;
  readonly at: Date;
}

/** A request to a function. Hop-by-hop headers and credentials of the platform have been taken out. */
export interface FunctionRequest {
  readonly requestId: string;
  readonly method: string;
  /** The URL that the function sees: `https://<project>/api/edge/<route>/rest?query`. */
  readonly url: URL;
  /** Below the route, for the log. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable | undefined;
  /** Aborted when the client has left. */
  readonly signal: AbortSignal;
}

/** The answer of a function, as it begins. */
export interface FunctionReply {
  readonly status: number;
  /** Names and values in turn, as Node.js has raw headers, without hop-by-hop ones. */
  readonly rawHeaders: readonly string[];
  /** A stream, which is to be read or destroyed; or the whole body, if that has come with the headers. */
  readonly body: Readable | Buffer;
}

/** What a project is for its functions. */
export interface FunctionsProject {
  readonly ref: string;
  /** The address of the project; functions reach it, and no other address of this machine. */
  readonly url: () => URL;
  /** Answers a request of a function to its own project, as if it had come over the network. */
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void;
  readonly limits: () => FunctionLimits;
  /** The environment of the functions: secrets of the project by name. Read when a process starts. */
  readonly secrets: () => Promise<Readonly<Record<string, string>>>;
  readonly onLog: (line: FunctionLogLine) => void;
  readonly onInvocation: (invocation: FunctionInvocation) => void;
  readonly onError: (error: unknown, doing: string) => void;
}

/** What a deploy has found: the code with its imports can run, with this lock file. */
export interface Prepared {
  readonly lock: string;
}

/** The functions of one project in this process. Belongs to its runtime. */
export interface ProjectFunctions {
  /**
   * Writes the files of a version, downloads what it imports and checks it. Nothing that runs is changed.
   * Throws FUNCTION_REFUSED with what Deno says, and FUNCTIONS_UNAVAILABLE.
   */
  prepare(version: FunctionVersion): Promise<Prepared>;
  /**
   * Starts a prepared version once, and ends it. Throws FUNCTION_REFUSED with what it has written, if it cannot start.
   * Where all processes of the server are busy, nothing is tried.
   */
  tryStart(version: FunctionVersion): Promise<void>;
  /**
   * Has a version answer a request; starts its process if none runs. Throws FUNCTION_TIMEOUT (504),
   * FUNCTION_CRASHED (502), FUNCTION_BUSY (429), FUNCTIONS_UNAVAILABLE (503) before the answer begins; later errors
   * destroy its body.
   */
  invoke(version: FunctionVersion, request: FunctionRequest): Promise<FunctionReply>;
  /** Ends the processes of other versions of the function when their requests are answered. */
  keepOnly(slug: string, version: number | undefined): void;
  /** Ends all processes when their requests are answered: secrets have changed. The next request starts new ones. */
  restart(): void;
  close(): Promise<void>;
}

/** The functions of all projects in this process: the program and the places for processes. */
export interface FunctionsHost {
  /** Why functions cannot run here, in one sentence; undefined: they can. */
  readonly unavailable: string | undefined;
  open(project: FunctionsProject): ProjectFunctions;
  close(): Promise<void>;
}
