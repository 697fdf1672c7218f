/* The preview next to a form without a text editor: that of sections, and that of the theme. */
import { startPreview } from '../editor/preview.js'

const form = document.querySelector('form[data-live]')
if (form !== null) {
  const preview = startPreview(form)
  form.addEventListener('input', preview.request)
  for (const picker of form.querySelectorAll('input[data-colour]')) openPicker(picker)
}

/** A picker of colours next to a field that takes any name or value of a colour. */
function openPicker(picker) {
  const field = document.getElementById(picker.dataset.colour)
  const show = () => {
    const shown = document.createElement('canvas').getContext('2d')
    shown.fillStyle = '#000000'
    shown.fillStyle = field.value.trim()
    picker.classList.toggle('is-unset', field.value.trim() === '')
    picker.value = shown.fillStyle.startsWith('#') ? shown.fillStyle.slice(0, 7) : '#000000'
  }
  show()
  field.addEventListener('input', show)
  picker.addEventListener('input', () => {
    field.value = picker.value
    picker.classList.remove('is-unset')
  })
  picker.hidden = false
}
