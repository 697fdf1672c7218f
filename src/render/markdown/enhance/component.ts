import type { Element, ElementContent, Root, RootContent } from 'hast'
import rehypeRaw from 'rehype-raw'
import rehypeStringify from 'rehype-stringify'
import { unified } from 'unified'
import {
  BUILT_IN_DIRECTIVES,
  type ComponentSchema,
  readAttributes,
  type WrittenComponent,
} from '../../../domain/component.ts'
import { isJsonObject, parsedJson } from '../../../domain/json.ts'
import type { ComponentAttributes } from '../../../theme/view.ts'
import { drawnIcon, nearestIcon } from '../../icons/drawn-icon.ts'
import { MAX_DIAGNOSTICS } from '../markdown-diagnostic.ts'
import { element } from './element.ts'
import { type Components, type EnhanceContext, type PendingComponent, prefixedId } from './enhance-context.ts'

/** Shows the label and the body of components of any name, for texts that are read without the theme, such as feeds. */
export const PROSE_COMPONENTS: Components = {
  schemas: {
    has: (name) => !BUILT_IN_DIRECTIVES.has(name),
    get: () => undefined,
    keys: () => new Map().keys(),
  },
  render: () => '',
}

/** Components of one page. More are shown as prose. */
const MAX_COMPONENTS = 500

/**
 * Checks a component and notes it for `renderComponents`. One that cannot be shown is reported, and its label and body
 * are shown as prose.
 *
 * @param data the line as JSON from `restorePlaceholders`. An author can write it too, as HTML.
 */
export function enhanceComponent(
  data: unknown,
  label: readonly ElementContent[] | null,
  body: readonly ElementContent[],
  context: EnhanceContext,
): Element {
  const written = writtenIn(data)
  const schema = context.options.components?.schemas.get(written?.name ?? '')
  const shown = element('div', {}, [...(label === null ? [] : [element('p', {}, label)]), ...body])
  if (written === null || schema === undefined) return shown
  const values = valuesOf(written, schema, { hasLabel: label !== null, hasBody: hasContent(body) }, context)
  if (values === null) return shown
  if (context.components.size >= MAX_COMPONENTS) {
    report(written, `is shown as prose: a page has at most ${MAX_COMPONENTS} components.`, context)
    return shown
  }
  const id = freeId(context)
  context.components.set(shown, {
    name: written.name,
    id: prefixedId(id, context),
    attributes: values,
    label,
    body: hasContent(body) ? body : [],
  })
  return shown
}

/** An id that no heading, no layout and no other component of the page has. */
function freeId({ components, usedIds, explicitIds, reserved }: EnhanceContext): string {
  let number = components.size + 1
  let id = `component-${number}`
  while (usedIds.has(id) || explicitIds.has(id) || reserved.has(id)) {
    number += 1
    id = `component-${number}`
  }
  usedIds.add(id)
  return id
}

function writtenIn(data: unknown): WrittenComponent | null {
  const value = typeof data === 'string' ? parsedJson(data) : null
  if (!isJsonObject(value)) return null
  const { name, source, attributes } = value
  const isWhole =
    typeof name === 'string' &&
    typeof source === 'string' &&
    Array.isArray(attributes) &&
    attributes.every(isPair)
  return isWhole ? (value as unknown as WrittenComponent) : null
}

function isPair(pair: unknown): boolean {
  if (!Array.isArray(pair)) return false
  const [name, value] = pair
  return typeof name === 'string' && (value === null || typeof value === 'string')
}

function hasContent(body: readonly ElementContent[]): boolean {
  return body.some((node) => node.type === 'element' || (node.type === 'text' && node.value.trim() !== ''))
}

/** The values of the attributes, ready to be printed; null, and reported, when the component cannot be shown. */
function valuesOf(
  written: WrittenComponent,
  schema: ComponentSchema,
  { hasLabel, hasBody }: { readonly hasLabel: boolean; readonly hasBody: boolean },
  context: EnhanceContext,
): ComponentAttributes | null {
  const { values, errors, unused } = readAttributes(schema, written.attributes)
  const faults = [
    ...(schema.label === 'required' && !hasLabel ? ['it needs a label in brackets.'] : []),
    ...(schema.body === 'required' && !hasBody ? ['it needs Markdown up to a line of `:::`.'] : []),
    ...errors,
  ]
  const ignored = [
    ...(schema.label === 'none' && hasLabel ? ['its label has no effect.'] : []),
    ...(schema.body === 'none' && hasBody ? ['its Markdown has no effect.'] : []),
    ...unused,
  ]
  for (const fault of faults) report(written, `is shown as prose: ${fault}`, context)
  if (faults.length > 0) return null
  for (const fault of ignored) report(written, `is not shown as written: ${fault}`, context)
  const printed: Record<string, ComponentAttributes[string]> = {}
  for (const [name, value] of Object.entries(values)) {
    const type = schema.attributes[name]?.type
    if (typeof value !== 'string') printed[name] = value
    else if (type === 'url' || type === 'image') printed[name] = checkedUrl(value, type, context)
    else printed[name] = value
    if (type === 'icon') printed[`${name}Html`] = iconHtml(value, written, context)
  }
  return printed
}

function checkedUrl(written: string, type: 'url' | 'image', context: EnhanceContext): string | null {
  const url = context.options.href(written, type === 'url' ? 'link' : 'image')
  if (url === null) context.droppedUrls.push(written)
  return url
}

function iconHtml(
  name: string | number | boolean | null | undefined,
  written: WrittenComponent,
  context: EnhanceContext,
): string | null {
  if (typeof name !== 'string') return null
  const svg = drawnIcon(name)
  if (svg === null)
    report(
      written,
      `has no icon: none has the name ${JSON.stringify(name.slice(0, 100))}.${nearestIcon(name)}`,
      context,
    )
  return svg
}

function report({ source }: WrittenComponent, fault: string, { diagnostics }: EnhanceContext): void {
  const message = `The component ${JSON.stringify(source.slice(0, 100))} ${fault}`
  if (diagnostics.length < MAX_DIAGNOSTICS)
    diagnostics.push({ code: 'QN-BAD-COMPONENT', excerpt: source, message })
}

const printer = unified()
  .use(rehypeStringify, { characterReferences: { useNamedReferences: true } })
  .freeze()
const parser = unified().use(rehypeRaw).freeze()

/**
 * Puts the output of the theme's templates in place of components, inner ones first. The output is parsed, so that an
 * unclosed element of a template ends with its component.
 */
export function renderComponents(tree: Root, { components, options }: EnhanceContext): void {
  tree.children = expand(tree.children)

  function expand<Node extends RootContent>(nodes: readonly Node[]): (Node | ElementContent)[] {
    return nodes.flatMap((node): (Node | ElementContent)[] => {
      if (node.type !== 'element') return [node]
      const pending = components.get(node)
      if (pending !== undefined) return rendered(pending)
      node.children = expand(node.children)
      return [node]
    })
  }

  function rendered({ name, id, attributes, label, body }: PendingComponent): ElementContent[] {
    const output = options.components?.render({
      name,
      id,
      attributes,
      labelHtml: label === null ? null : html(label),
      html: html(body).trim(),
    })
    const fragment = parser.runSync({
      type: 'root',
      children: [{ type: 'raw', value: output ?? '' }],
    } as Root)
    return fragment.children.filter((child) => child.type !== 'doctype')
  }

  function html(nodes: readonly ElementContent[]): string {
    return printer.stringify({ type: 'root', children: expand(nodes) })
  }
}
