/*
 * Moves rows of a table without a request: by dragging a handle, by arrow keys on it, and by the buttons that work without
 * this script. The form is sent once, when a person saves.
 */
import { changedRows, draggedRows } from '../../../src/dashboard/frame/rows.ts'

/** Width of a level, in pixels: dragging sideways by it makes a row deeper. */
const LEVEL = 24
const KEYS = { ArrowUp: 'up', ArrowDown: 'down', ArrowRight: 'in', ArrowLeft: 'out' }

for (const form of document.querySelectorAll('form[data-rows]')) enhance(form)

function enhance(form) {
  const { rows: table } = form.dataset
  const maxDepth = Number(form.dataset.maxDepth)
  const list = form.querySelector('ol')
  /** What screen readers call each place. */
  const names = [...list.children].map(({ dataset }) => dataset.name)
  for (const handle of list.querySelectorAll('[data-handle]')) handle.hidden = false

  list.addEventListener('click', (event) => {
    const button = event.target.closest('button[name="act"]')
    const act = button?.value.split('.')[0]
    if (!Object.values(KEYS).includes(act)) return
    event.preventDefault()
    press(button.closest('li'), act, button)
  })

  list.addEventListener('keydown', (event) => {
    const handle = event.target.closest('[data-handle]')
    const act = KEYS[event.key]
    if (handle === null || act === undefined) return
    event.preventDefault()
    press(handle.closest('li'), act, handle)
  })

  list.addEventListener('pointerdown', (event) => {
    const handle = event.target.closest('[data-handle]')
    if (handle === null || event.button !== 0) return
    event.preventDefault()
    drag(handle, event)
  })

  function press(item, act, focused) {
    const before = read()
    put(changedRows(before, act, indexOf(before, item), maxDepth))
    focused.focus()
  }

  function drag(handle, { pointerId, clientX }) {
    const item = handle.closest('li')
    const start = depthOf(item)
    item.classList.add('is-dragged')

    const move = (event) => {
      if (event.pointerId !== pointerId) return
      const before = read()
      const index = indexOf(before, item)
      const end = before.findIndex(({ depth }, at) => at > index && depth <= before[index].depth)
      const block = before.slice(index, end === -1 ? undefined : end)
      const others = before.filter((row) => !block.includes(row))
      const to = others.filter(({ item: other }) => middleOf(other) < event.clientY).length
      const depth = start + Math.round((event.clientX - clientX) / LEVEL)
      put(draggedRows(before, index, { to, depth }, maxDepth))
    }
    // Not on the handle: an element that is moved in the document loses the pointer.
    const dragging = new AbortController()
    const { signal } = dragging
    const stop = (event) => {
      if (event.pointerId !== pointerId) return
      item.classList.remove('is-dragged')
      dragging.abort()
      handle.focus()
    }
    document.addEventListener('pointermove', move, { signal })
    document.addEventListener('pointerup', stop, { signal })
    document.addEventListener('pointercancel', stop, { signal })
  }

  function read() {
    return [...list.children].map((item) => ({ item, depth: depthOf(item), values: {} }))
  }

  function put(rows) {
    const isSame = rows.every(({ item, depth }, at) => list.children[at] === item && depthOf(item) === depth)
    if (isSame) return
    rows.forEach(({ item, depth }, at) => {
      if (list.children[at] !== item) list.insertBefore(item, list.children[at])
      number(item, at, depth)
    })
    form.querySelector('[data-unsaved]').hidden = false
  }

  /** Fields and buttons of a row have its number in their names. */
  function number(item, at, depth) {
    const renamed = (text) => text.replace(new RegExp(`(^|\\.)${table}\\.\\d+`), `$1${table}.${at}`)
    item.className = item.className.replace(/depth-\d/, `depth-${depth}`)
    for (const field of item.querySelectorAll('[name]')) {
      if (field.name === 'act') field.value = renamed(field.value)
      else field.name = renamed(field.name)
      if (field.id) field.id = renamed(field.id)
      if (field.name.endsWith('.depth')) field.value = String(depth)
    }
    for (const span of item.querySelectorAll('.row-acts .sr-only'))
      span.textContent = span.textContent.replace(/: .*$/, `: ${names[at]}`)
    for (const label of item.querySelectorAll('label[for]')) label.htmlFor = renamed(label.htmlFor)
  }
}

function depthOf(item) {
  return Number(/depth-(\d)/.exec(item.className)[1])
}

function indexOf(rows, wanted) {
  return rows.findIndex(({ item }) => item === wanted)
}

function middleOf(item) {
  const { top, height } = item.getBoundingClientRect()
  return top + height / 2
}
