/** The dialog that lists the keys. */
export function createKeysDialog() {
  const dialog = document.querySelector('dialog[data-keys]')
  return {
    open() {
      if (dialog instanceof HTMLDialogElement) dialog.showModal()
      return dialog !== null
    },
  }
}
