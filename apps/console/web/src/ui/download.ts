/** Gives the person a file of these parts. Characters that no file name may have become hyphens. */
export function download(
  name: string,
  type: string,
  parts: readonly (string | Uint8Array<ArrayBuffer>)[],
): void {
  const address = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name.replaceAll(/[\\/:*?"<>|]/g, '-');
  link.click();
  // The browser has the address of the file once the click is handled.
  window.setTimeout(() => URL.revokeObjectURL(address), 1000);
}
