/** A form with these fields before one file. Names and values stand in it as they are, byte for byte. */
export function fileForm(
  fields: Readonly<Record<string, string>>,
  file: { readonly fileName: string; readonly content: string | Buffer; readonly mime?: string },
): { readonly headers: Readonly<Record<string, string>>; readonly body: Buffer } {
  const { fileName, content, mime = 'application/octet-stream' } = file;
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--part\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head =
    `--part\r\ncontent-disposition: form-data; name="file"; filename="${fileName}"\r\n` +
    `content-type: ${mime}\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from([...parts, head].join('')),
    Buffer.from(content),
    Buffer.from('\r\n--part--\r\n'),
  ]);
  return { headers: { 'content-type': 'multipart/form-data; boundary=part' }, body };
}
