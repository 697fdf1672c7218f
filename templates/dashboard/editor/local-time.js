/* Times in the zone of the browser. Without this script they are in UTC, as their words say. */

/** The field for the time of a schedule, and when the page goes live. */
export function useLocalTime() {
  for (const chip of document.querySelectorAll('[data-moment]'))
    chip.textContent = chip.dataset.words.replace('{}', shown(chip.dataset.moment))

  const field = document.querySelector('input[data-zone]')
  if (!(field instanceof HTMLInputElement)) return
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const label = document.querySelector(`label[for="${field.id}"]`)
  if (label !== null) label.textContent = field.dataset.zone?.replace('{}', timeZone) ?? ''
  field.form?.addEventListener('formdata', ({ formData }) => {
    const moment = new Date(field.value)
    if (!Number.isNaN(moment.getTime())) formData.set(field.name, moment.toISOString())
  })
}

function shown(moment) {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, {
    dateStyle: 'medium',
    timeStyle: 'short',
  })
  return format.format(new Date(moment))
}
