// The audit entries of changes of providers. A caller that manages for the project itself writes them.
import { createHash } from 'node:crypto';
import { isRecord } from '#libs/wire';
import type { RunStatement } from '../../engine-pool.js';
import { providerView, type SsoPlace, type SsoProvider } from './provider.js';

/** A provider as its managers see it. */
export type SsoProviderView = Readonly<Record<string, unknown>>;

/** One change of a provider. No secret is in it. */
export interface SsoChange {
  readonly action: 'create' | 'update' | 'verifyDomains' | 'delete';
  readonly providerId: string;
  readonly before: SsoProviderView | undefined;
  readonly after: SsoProviderView | undefined;
}

/** Writes a change down in the transaction that makes it. */
export type NoteSsoChange = (run: RunStatement, change: SsoChange) => Promise<void>;

interface Changed {
  readonly action: SsoChange['action'];
  readonly before: SsoProvider | undefined;
  readonly after: SsoProvider | undefined;
  /** The names of the secrets that the change sets. */
  readonly secrets?: readonly string[];
}

/** The change as it is written down. */
export function changeOf(place: SsoPlace, changed: Changed): SsoChange {
  const { action, before, after, secrets = [] } = changed;
  const shown = after && shortView(place, after);
  return {
    action,
    providerId: (after ?? before)?.providerId ?? '',
    before: before && shortView(place, before),
    after: shown && { ...shown, ...(secrets.length > 0 && { secretsChanged: secrets }) },
  };
}

/** A log would not hold the metadata of an identity provider twice for every change of it. */
function shortView(place: SsoPlace, provider: SsoProvider): SsoProviderView {
  const view = providerView(place, provider);
  const { samlConfig } = view;
  const idpMetadata: unknown = isRecord(samlConfig) ? samlConfig['idpMetadata'] : {};
  const metadata: unknown = isRecord(idpMetadata) ? idpMetadata['metadata'] : {};
  if (!isRecord(samlConfig) || !isRecord(idpMetadata) || typeof metadata !== 'string') return view;
  const digest = createHash('sha256').update(metadata).digest('hex');
  const short = { ...idpMetadata, metadata: `sha256:${digest}` };
  return { ...view, samlConfig: { ...samlConfig, idpMetadata: short } };
}
