/*
 * Asks the browser for a passkey, or to create one, and sends its answer as a form. Browsers that cannot convert JSON
 * themselves do not show the form.
 */
const form = document.querySelector('form[data-passkey]')
const { parseCreationOptionsFromJSON, parseRequestOptionsFromJSON } = globalThis.PublicKeyCredential ?? {}

if (form !== null && parseCreationOptionsFromJSON && parseRequestOptionsFromJSON) {
  const button = form.querySelector('button')
  const failed = form.querySelector('[data-failed]')
  form.hidden = false
  for (const instead of document.querySelectorAll('[data-no-passkeys]')) instead.hidden = true

  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    button.disabled = true
    failed.hidden = true
    try {
      form.elements.response.value = JSON.stringify(await credential())
      form.submit()
    } catch {
      // Browsers do not say whether there was no passkey or the person refused.
      failed.hidden = false
      button.disabled = false
      button.focus()
    }
  })
}

async function credential() {
  if (form.dataset.passkey === 'create') {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(form.dataset.options))
    return navigator.credentials.create({ publicKey })
  }
  const answer = await fetch(form.action, { headers: { Accept: 'application/json' } })
  if (!answer.ok) throw new Error(answer.statusText)
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await answer.json())
  return navigator.credentials.get({ publicKey })
}
