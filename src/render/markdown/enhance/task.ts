import type { Element, ElementContent } from 'hast'
import { type EnhanceContext, label } from './enhance-context.ts'

/** Labels the checkbox of a task for assistive technology. Other inputs are removed. */
export function enhanceCheckbox(box: Element, context: EnhanceContext): readonly ElementContent[] {
  const { type, checked } = box.properties
  if (type !== 'checkbox') return []
  const ariaLabel = label(checked === true ? 'taskDone' : 'taskOpen', context)
  box.properties = { ...box.properties, disabled: true, ariaLabel }
  return [box]
}
