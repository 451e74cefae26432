// The fields of an identity provider, for the steps that connect it and for changes afterwards.
import { type ReactNode, useId } from 'react';

import { Field } from '../../ui/field.js';
import { entityIdIn, type TypedProvider } from './sso-provider.js';

export interface ProviderFieldsProps {
  readonly provider: TypedProvider;
  readonly change: (values: Partial<TypedProvider>) => void;
  /** The server has the provider already: what is left empty stays. */
  readonly isStored?: boolean;
}

export function DomainsField({
  provider,
  change,
  isStored = false,
}: ProviderFieldsProps): ReactNode {
  return (
    <Field
      label="Email domains"
      required
      value={provider.domain}
      placeholder="acme.example"
      hint={
        isStored
          ? 'Several with commas. When you change them, all of them count as proven.'
          : 'Several with commas. People with an address in them are led to the provider.'
      }
      onChange={({ currentTarget }) => change({ domain: currentTarget.value })}
    />
  );
}

/** What an identity provider gives: its issuer, and its client or its metadata. */
export function ProviderFields({
  provider,
  change,
  isStored = false,
}: ProviderFieldsProps): ReactNode {
  const { protocol, issuer, clientId, clientSecret, metadata } = provider;
  const issuerField = (
    <Field
      label="Issuer"
      required
      value={issuer}
      placeholder="https://login.acme.example"
      hint={
        protocol === 'oidc'
          ? 'Its discovery document is read from /.well-known/openid-configuration below it.'
          : 'The entity id in the metadata.'
      }
      onChange={({ currentTarget }) => change({ issuer: currentTarget.value })}
    />
  );
  if (protocol === 'oidc') {
    return (
      <>
        {issuerField}
        <Field
          label="Client id"
          required
          value={clientId}
          onChange={({ currentTarget }) => change({ clientId: currentTarget.value })}
        />
        <Field
          label="Client secret"
          required={!isStored}
          type="password"
          autoComplete="new-password"
          value={clientSecret}
          placeholder={isStored ? 'Set' : undefined}
          hint={
            isStored
              ? 'Leave it empty to keep the stored one, which is never shown.'
              : 'It is stored sealed and never shown again.'
          }
          onChange={({ currentTarget }) => change({ clientSecret: currentTarget.value })}
        />
      </>
    );
  }
  return (
    <>
      <Metadata
        value={metadata}
        isRequired={!isStored}
        onChange={(xml) => change({ metadata: xml, issuer: entityIdIn(xml) ?? issuer })}
      />
      {issuerField}
    </>
  );
}

interface MetadataProps {
  readonly value: string;
  readonly isRequired: boolean;
  readonly onChange: (xml: string) => void;
}

function Metadata({ value, isRequired, onChange }: MetadataProps): ReactNode {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-[13px] font-semibold">
        Metadata of the identity provider (XML)
      </label>
      <textarea
        id={id}
        required={isRequired}
        rows={8}
        value={value}
        placeholder="<EntityDescriptor …"
        className="w-full rounded-md border border-line-strong bg-surface px-3 py-2 font-mono text-[13px] text-ink shadow-lift focus-visible:outline-offset-0"
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  );
}
