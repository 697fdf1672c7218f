/*
 * The part of a picture that crops keep, chosen by a click on it. The field next to it has the same for keyboards, and the
 * form stores it.
 */
const figure = document.querySelector('[data-focus]')
const picture = figure?.querySelector('img')
const field = figure && document.getElementById(figure.dataset.focus)

if (field) {
  const mark = figure.querySelector('[data-mark]')
  const crops = document.querySelector('[data-crops]')
  const show = () => {
    const [x = 0.5, y = 0.5] = field.value.split(',').filter(Boolean).map(Number)
    const { left, top, width, height } = shownArea()
    mark.style.left = `${left + x * width}px`
    mark.style.top = `${top + y * height}px`
    mark.hidden = field.value === ''
    for (const crop of crops.querySelectorAll('img')) crop.style.objectPosition = `${x * 100}% ${y * 100}%`
  }

  figure.classList.add('is-clickable')
  crops.hidden = false
  picture.addEventListener('click', ({ offsetX, offsetY }) => {
    const { left, top, width, height } = shownArea()
    choose(part(offsetX - left, width), part(offsetY - top, height))
    show()
  })
  field.addEventListener('change', show)
  addEventListener('resize', show)
  picture.addEventListener('load', show)
  show()

  function choose(x, y) {
    const value = `${x},${y}`
    if (![...field.options].some((option) => option.value === value))
      field.add(new Option(figure.dataset.place.replace('{}', value), value))
    field.value = value
  }
}

/** Where the picture is within its frame, which has another shape. */
function shownArea() {
  const { clientWidth, clientHeight, naturalWidth, naturalHeight } = picture
  const scale = Math.min(clientWidth / (naturalWidth || 1), clientHeight / (naturalHeight || 1))
  const [width, height] = [naturalWidth * scale, naturalHeight * scale]
  return { left: (clientWidth - width) / 2, top: (clientHeight - height) / 2, width, height }
}

/** From 0 to 1, with two digits. */
function part(distance, length) {
  return Math.round(Math.min(Math.max(distance / length, 0), 1) * 100) / 100
}
