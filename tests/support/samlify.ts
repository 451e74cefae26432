// The part of `samlify` that tests use, described here: its own types bring those of a browser's page along,
// and then `window` would compile everywhere.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

interface Endpoint {
  readonly Binding: string;
  readonly Location: string;
}

export interface EntitySettings {
  readonly entityID?: string;
  readonly metadata?: string;
  readonly encryptCert?: string;
  readonly privateKey?: string;
  readonly encPrivateKey?: string;
  readonly isAssertionEncrypted?: boolean;
  readonly wantAssertionsSigned?: boolean;
  readonly wantMessageSigned?: boolean;
  readonly dataEncryptionAlgorithm?: string;
  readonly keyEncryptionAlgorithm?: string;
  readonly assertionConsumerService?: readonly Endpoint[];
}

type Extracted = Readonly<Record<string, unknown>>;

interface Entity {
  getMetadata(): string;
}

interface ServiceProvider extends Entity {
  createLoginRequest(
    provider: Entity,
    binding: 'redirect',
    options: { readonly relayState: string },
  ): { readonly id: string; readonly context: string };
  parseLoginResponse(
    provider: Entity,
    binding: 'post',
    request: { readonly body: Readonly<Record<string, string>> },
  ): Promise<{ readonly extract: Extracted }>;
}

interface SignatureWish {
  readonly rawSamlMessage: string;
  readonly isBase64Output: boolean;
  readonly isMessageSigned: boolean;
  /** The element to sign; none is the whole message. */
  readonly referenceTagXPath?: string;
  readonly privateKey: string;
  readonly signatureAlgorithm: string;
  readonly signingCert: string;
  readonly signatureConfig: {
    readonly prefix: string;
    readonly location: { readonly reference: string; readonly action: 'after' };
  };
}

interface Samlify {
  IdentityProvider(settings: EntitySettings): Entity;
  ServiceProvider(settings: EntitySettings): ServiceProvider;
  setSchemaValidator(validator: { validate(xml: string): Promise<string> }): void;
  readonly SamlLib: {
    constructSAMLSignature(wish: SignatureWish): string;
    /** Answers the message in base64. */
    encryptAssertion(from: Entity, to: Entity, xml: string): Promise<string>;
  };
  readonly Extractor: {
    readonly loginRequestFields: unknown;
    extract(xml: string, fields: unknown): Extracted;
  };
}

export const samlify: Samlify = require('samlify');
