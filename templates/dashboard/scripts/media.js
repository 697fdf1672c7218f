/*
 * Several files at once for the library: those that are chosen, and those that are dropped on the page. Without this script
 * the form takes one.
 */
const form = document.querySelector('form[data-upload]')
const field = form?.querySelector('input[type=file]')
const status = form?.querySelector('[data-status]')

if (field && status) {
  const words = JSON.parse(form.dataset.words)
  let isUploading = false
  field.multiple = true

  form.addEventListener('submit', (event) => {
    // One file is sent by the browser itself, with its description.
    if (field.files.length < 2 && !isUploading) return
    event.preventDefault()
    void uploadAll([...field.files])
  })
  addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
  })
  addEventListener('drop', (event) => {
    const files = [...(event.dataTransfer?.files ?? [])]
    if (files.length === 0 || event.target === field) return
    event.preventDefault()
    void uploadAll(files)
  })

  async function uploadAll(files) {
    if (isUploading) return
    isUploading = true
    form.closest('details').open = true
    const refused = []
    for (const [index, file] of files.entries()) {
      status.textContent = `${words.uploading} ${index + 1} / ${files.length}`
      const message = await upload(file)
      if (message !== null) refused.push(`${file.name}: ${message}`)
    }
    isUploading = false
    if (refused.length === 0) location.assign(`${form.action}?done=filesUploaded`)
    else status.textContent = refused.join(' ')
  }

  /** @returns why a file was refused; null when it is stored. */
  async function upload(file) {
    const body = new FormData()
    body.append('file', file)
    try {
      const answer = await fetch(form.action, {
        method: 'POST',
        headers: { Accept: 'application/json' },
        body,
      })
      const { message } = await answer.json().catch(() => ({ message: words.refused }))
      return answer.ok ? null : message
    } catch {
      return words.offline
    }
  }
}
