import type { Element, ElementContent } from 'hast'
import { type EnhanceContext, label } from './enhance-context.ts'

/** The box of a task says in words what it shows. No other kind of field has a place on a page. */
export function enhanceCheckbox(box: Element, context: EnhanceContext): readonly ElementContent[] {
  const { type, checked } = box.properties
  if (type !== 'checkbox') return []
  const ariaLabel = label(checked === true ? 'taskDone' : 'taskOpen', context)
  box.properties = { ...box.properties, disabled: true, ariaLabel }
  return [box]
}
