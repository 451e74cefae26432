import type { SamlConfig } from './provider.js';

/** What the main thread is about to read: a response, or only the metadata of the provider. */
export interface SamlDocument {
  /** Its secrets are open. */
  readonly config: SamlConfig;
  readonly baseUrl: string;
  readonly providerId: string;
  /** In base64, as it was sent. Absent for the metadata alone. */
  readonly response?: string;
}

export interface RehearsalOrder {
  readonly document: SamlDocument;
  /** Runs are repeated while they take longer than this. */
  readonly enoughMs: number;
}

export interface Rehearsed {
  /** The work of the processor in the quickest of the runs, in milliseconds of the usual machine. */
  readonly ms: number;
  /** Whether the response was read to its end: its signature was good, and only its request was looked for. */
  readonly isGood: boolean;
}

export interface RehearsalSetup {
  /** Address of the module of `@better-auth/sso`. */
  readonly enginePackage: string;
  /** The options that the main thread gives to the plugin. */
  readonly saml: object;
  /** What metadata of 400 tags take on the usual machine. */
  readonly usualMs: number;
}

/** The functions of `@better-auth/sso` that are run. */
interface EnginePackage {
  readonly readMetadata: (config: object) => unknown;
  readonly acsEndpoint: (request: object) => Promise<unknown>;
}

/**
 * The program of a thread that reads documents with the code that the main thread uses, and answers each order with
 * `Rehearsed`. It is made of the texts of functions, because sources and builds have files of different endings: the
 * functions use nothing from outside but each other and types.
 */
export const rehearsalProgram = [
  rehearse,
  runOrder,
  readDocument,
  readResponse,
  slownessOf,
  workedMs,
]
  .map(String)
  .concat('rehearse();')
  .join('\n');

async function rehearse(): Promise<void> {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const setup: RehearsalSetup = workerData;
  const { sso, deriveSAMLIdentityProviderEntityID } = await import(setup.enginePackage);
  const engine: EnginePackage = {
    readMetadata: deriveSAMLIdentityProviderEntityID,
    acsEndpoint: sso({ saml: setup.saml }).endpoints.acsEndpoint,
  };
  slownessOf(engine, setup.usualMs); // The first runs compile the code.
  const slowness = slownessOf(engine, setup.usualMs);
  parentPort?.on('message', (order: RehearsalOrder) => {
    // A fault of it ends the thread, which the main thread notices.
    void runOrder(engine, order, slowness).then((done) => parentPort.postMessage(done));
  });
  parentPort?.postMessage('ready');
}

/** The quickest of some runs. */
async function runOrder(
  engine: EnginePackage,
  { document, enoughMs }: RehearsalOrder,
  slowness: number,
): Promise<Rehearsed> {
  let best: Rehearsed | undefined;
  for (let runs = 0; runs < 8; runs += 1) {
    const begun = workedMs();
    const isGood = await readDocument(engine, document);
    const ms = (workedMs() - begun) / slowness;
    if (best === undefined || ms < best.ms) best = { ms, isGood };
    // The first runs compile the code, and may collect the garbage of others. Far above, that is not the reason.
    if (best.ms <= enoughMs || best.ms > 8 * enoughMs) break;
  }
  return best ?? { ms: Infinity, isGood: false };
}

async function readDocument(engine: EnginePackage, document: SamlDocument): Promise<boolean> {
  try {
    if (document.response !== undefined) return await readResponse(engine, document);
    engine.readMetadata(document.config);
  } catch {
    // The main thread finds the same fault and answers it.
  }
  return false;
}

/** Nothing is stored and nothing is found but the provider, so a good response ends where its request is needed. */
async function readResponse(
  { acsEndpoint }: EnginePackage,
  { config, baseUrl, providerId, response }: SamlDocument,
): Promise<boolean> {
  let isGood = false;
  const samlConfig = JSON.stringify(config);
  const silent = () => undefined;
  const consumeVerificationValue = () => {
    isGood = true;
    return Promise.resolve(null);
  };
  const context = {
    baseURL: baseUrl,
    options: {},
    logger: { error: silent, warn: silent, info: silent, debug: silent },
    isTrustedOrigin: () => false,
    adapter: { findOne: () => Promise.resolve({ providerId, samlConfig }) },
    internalAdapter: { consumeVerificationValue },
  };
  const body = { SAMLResponse: response };
  // Each response ends by an error: a redirect is one.
  await acsEndpoint({ method: 'POST', params: { providerId }, body, context }).catch(silent);
  return isGood;
}

/** How much slower than the usual machine this one reads, at least 1. */
function slownessOf({ readMetadata }: EnginePackage, usualMs: number): number {
  const runs = 20;
  const formats = '<NameIDFormat>a</NameIDFormat>'.repeat(200);
  const metadata = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="a"><IDPSSODescriptor>${formats}</IDPSSODescriptor></EntityDescriptor>`;
  const begun = workedMs();
  for (let at = 0; at < runs; at += 1) readMetadata({ idpMetadata: { metadata } });
  return Math.max(1, (workedMs() - begun) / runs / usualMs);
}

/** What the processor has done for this thread, in milliseconds. Waiting for a processor is no work of a document. */
function workedMs(): number {
  interface WithThreadUsage {
    threadCpuUsage?(): { readonly user: number; readonly system: number };
  }
  // Node.js 23.9 has it; the types are those of Node.js 20.
  const usage = (process as WithThreadUsage).threadCpuUsage?.();
  if (usage !== undefined) return (usage.user + usage.system) / 1_000;
  try {
    const { readFileSync } = process.getBuiltinModule('node:fs');
    return Number.parseInt(readFileSync('/proc/thread-self/schedstat', 'latin1'), 10) / 1e6;
  } catch {
    // Neither Node.js nor the system knows: the clock counts more, never less.
    return performance.now();
  }
}
