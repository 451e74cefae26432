/** Whether a dialog is open that shows what is not shown again (dialog.tsx). */
export function isConfirmationOpen(): boolean {
  return document.querySelector('[data-must-confirm]') !== null;
}
