// Bodies as the documentation shows them. The auth engine checks them, because its own routes take the same.
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

class OidcConfigBody {
  @ApiProperty({ example: 'rowhouse' })
  clientId!: string;

  @ApiProperty({ description: 'Never answered; left out of a change it stays' })
  clientSecret!: string;

  @ApiPropertyOptional({ description: 'By default below the issuer' })
  discoveryEndpoint?: string;

  @ApiPropertyOptional({ type: [String], default: ['openid', 'email', 'profile'] })
  scopes?: string[];

  @ApiPropertyOptional({ default: true })
  pkce?: boolean;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Names of the claims for email, emailVerified, name and image',
  })
  mapping?: Record<string, string>;

  @ApiPropertyOptional({ description: 'Instead of the one in the discovery document' })
  authorizationEndpoint?: string;

  @ApiPropertyOptional({ description: 'Instead of the one in the discovery document' })
  tokenEndpoint?: string;

  @ApiPropertyOptional({ description: 'Instead of the one in the discovery document' })
  jwksEndpoint?: string;

  @ApiPropertyOptional({ description: 'Instead of the one in the discovery document' })
  userInfoEndpoint?: string;

  @ApiPropertyOptional({ enum: ['client_secret_basic', 'client_secret_post'] })
  tokenEndpointAuthentication?: string;

  @ApiPropertyOptional({
    default: false,
    description: 'There is no document: the addresses are given',
  })
  skipDiscovery?: boolean;
}

class IdpMetadataBody {
  @ApiPropertyOptional({ description: 'The metadata of the identity provider, in XML' })
  metadata?: string;

  @ApiPropertyOptional({ description: 'Its name, where there are no metadata' })
  entityID?: string;

  @ApiPropertyOptional({ type: [String], description: 'Certificates in PEM' })
  cert?: string[];
}

class SpMetadataBody {
  @ApiPropertyOptional({ description: 'By default the address of the metadata' })
  entityID?: string;

  @ApiPropertyOptional({ description: 'In PEM; opens assertions that come encrypted' })
  encPrivateKey?: string;

  @ApiPropertyOptional()
  encPrivateKeyPass?: string;
}

class SamlConfigBody {
  @ApiPropertyOptional({ type: IdpMetadataBody })
  idpMetadata?: IdpMetadataBody;

  @ApiPropertyOptional({ description: 'Where people are sent to, where there are no metadata' })
  entryPoint?: string;

  @ApiPropertyOptional({ type: [String], description: 'Certificates in PEM' })
  cert?: string[];

  @ApiPropertyOptional()
  audience?: string;

  @ApiPropertyOptional()
  identifierFormat?: string;

  @ApiPropertyOptional({ type: SpMetadataBody })
  spMetadata?: SpMetadataBody;

  @ApiPropertyOptional({ default: false })
  authnRequestsSigned?: boolean;

  @ApiPropertyOptional({ description: 'In PEM; signs requests' })
  privateKey?: string;

  @ApiPropertyOptional()
  signatureAlgorithm?: string;

  @ApiPropertyOptional()
  digestAlgorithm?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Names of the attributes for email, name, firstName and lastName',
  })
  mapping?: Record<string, string>;
}

export class ChangeSsoProviderBody {
  @ApiPropertyOptional({ example: 'https://idp.example.com' })
  issuer?: string;

  @ApiPropertyOptional({ example: 'example.com', description: 'Mail domains, with commas' })
  domain?: string;

  @ApiPropertyOptional({ type: OidcConfigBody })
  oidcConfig?: OidcConfigBody;

  @ApiPropertyOptional({ type: SamlConfigBody, description: 'Instead of oidcConfig' })
  samlConfig?: SamlConfigBody;
}

export class CreateSsoProviderBody extends ChangeSsoProviderBody {
  @ApiProperty({ example: 'acme', pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$' })
  providerId!: string;

  @ApiProperty({ example: 'https://idp.example.com' })
  declare issuer: string;

  @ApiProperty({ example: 'example.com', description: 'Mail domains, with commas' })
  declare domain: string;

  @ApiPropertyOptional({ description: 'Whose provider it is; left out: the project’s' })
  organizationId?: string;
}

export class VerifyDomainsBody {
  @ApiPropertyOptional({ example: 'example.com', description: 'Left out: all of the provider' })
  domain?: string;
}
