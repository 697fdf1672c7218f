import type { ElementContent } from 'hast'
import { element } from './elements.ts'
import type { Scope } from './rewrite.ts'

/** Quoin has containers in up to eight others. */
const MAX_CONTAINERS = 8

/** A line of a directive between blocks. @param label Markdown between the two texts. */
export function line(before: string, after = '', label: readonly ElementContent[] = []): ElementContent {
  return element('q-line', { before, after }, label)
}

/** Reports whether a container may begin here. */
export function fitsContainer({ containers, isInCell, isInList }: Scope): boolean {
  return !isInCell && !isInList && containers < MAX_CONTAINERS
}

export function insideContainer(scope: Scope): Scope {
  return { ...scope, containers: scope.containers + 1 }
}

/** `:::note Title` around blocks. */
export function container(
  name: string,
  title: readonly ElementContent[],
  children: readonly ElementContent[],
): readonly ElementContent[] {
  const opening = title.length === 0 ? line(`:::${name}`) : line(`:::${name} `, '', title)
  return [opening, ...children, line(':::')]
}

/** `:::columns` with one column for each group of blocks. */
export function columns(groups: readonly (readonly ElementContent[])[]): readonly ElementContent[] {
  return container(
    'columns',
    [],
    groups.flatMap((group) => [line('::column'), ...group]),
  )
}
