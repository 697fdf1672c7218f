import type { Element, ElementContent } from 'hast'
import { type Polishing, word } from './enhance-context.ts'

/** The box of a task says in words what it shows. No other kind of field has a place on a page. */
export function polishCheckbox(box: Element, polishing: Polishing): readonly ElementContent[] {
  const { type, checked } = box.properties
  if (type !== 'checkbox') return []
  const ariaLabel = word(checked === true ? 'taskDone' : 'taskOpen', polishing)
  box.properties = { ...box.properties, disabled: true, ariaLabel }
  return [box]
}
