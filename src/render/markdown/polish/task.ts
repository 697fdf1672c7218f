import type { Element, ElementContent } from 'hast'

/** The box of a task says in words what it shows. No other kind of field has a place on a page. */
export function polishCheckbox(box: Element): readonly ElementContent[] {
  const { type, checked } = box.properties
  if (type !== 'checkbox') return []
  const ariaLabel = checked === true ? 'Completed task' : 'Open task'
  box.properties = { ...box.properties, disabled: true, ariaLabel }
  return [box]
}
