-- Challenges and trusted devices are stored under the SHA-256 of their identifiers, which are part of the
-- tokens that operators keep. Those that exist stay valid.

update operator_verification
set identifier = substring(identifier from '^(2fa|trust-device)') || '-sha256:'
  || encode(sha256(convert_to(identifier, 'UTF8')), 'hex')
where identifier ~ '^(2fa|trust-device)-' and identifier !~ '^(2fa|trust-device)-sha256:';
