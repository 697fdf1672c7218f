import { hashSource } from '../render/page/content-policy.ts'
import { attribute, type ReadDocument, type ReadElement, textOf } from './document.ts'
import type { Finding } from './finding.ts'
import type { WrittenAt } from './instrumented.ts'

type Fault = Pick<Finding, 'severity' | 'rule' | 'message'>
type Told = Fault & { readonly at: WrittenAt }

const error = (message: string): Fault => ({ severity: 'error', rule: 'accessibility', message })
const warning = (message: string): Fault => ({ severity: 'warning', rule: 'accessibility', message })
const refused = (message: string): Fault => ({ severity: 'error', rule: 'policy', message })

/**
 * What shuts readers out of a document, or what its policy keeps from working, as far as its HTML alone
 * tells. Of elements that templates write; what an author wrote is not the theme's.
 *
 * @param layout where what is missing from the whole document would be.
 */
export function documentFaults(document: ReadDocument, layout: WrittenAt): readonly Told[] {
  const placed = document.elements.flatMap(({ element, above, at }) =>
    at === null ? [] : [{ found: { element, above, at }, at }],
  )
  return [
    ...wholeFaults(document).map((fault) => ({ ...fault, at: layout })),
    ...placed.flatMap(({ found, at }) =>
      [
        ...nameFaults(found, document),
        ...referenceFaults(found, document),
        ...policyFaults(found, document),
      ].map((fault) => ({ ...fault, at })),
    ),
    ...doubleIds(document),
    ...headingFaults(document),
  ]
}

function wholeFaults({ elements }: ReadDocument): readonly Fault[] {
  const named = (name: string) => elements.filter(({ element }) => element.tagName === name)
  const [html] = named('html')
  const [title] = named('title')
  const count = (name: string) => named(name).length
  return [
    ...((html === undefined ? null : attribute(html.element, 'lang'))
      ? []
      : [error('<html> does not say its language: give it lang="<%= it.lang %>".')]),
    ...(title !== undefined && textOf(title.element).trim() !== '' ? [] : [error('There is no <title>.')]),
    ...(count('main') === 1 ? [] : [error(`A document has one <main>; this one has ${count('main')}.`)]),
    ...(count('h1') > 0 ? [] : [error('There is no <h1>.')]),
  ]
}

const INPUTS = new Set(['input', 'select', 'textarea'])
/** Kinds of input that need no label, or bring one along. */
const NAMED_INPUTS = new Set(['hidden', 'submit', 'reset', 'button', 'image'])

function nameFaults({ element, above }: ReadElement, document: ReadDocument): readonly Fault[] {
  const { tagName } = element
  if (attribute(element, 'ariaHidden') === 'true') return []
  if (tagName === 'img') {
    const hasAlt = attribute(element, 'alt') !== null
    return hasAlt ? [] : [error('The picture has no alt; give a decorative one alt="".')]
  }
  if (tagName === 'iframe' && !attribute(element, 'title')) return [error('The <iframe> has no title.')]
  const labelled = (attribute(element, 'ariaLabelledBy') ?? '')
    .split(' ')
    .map((id) => document.byId(id))
    .map((found) => (found === null ? '' : textOf(found.element)))
  const said = [attribute(element, 'ariaLabel') ?? '', attribute(element, 'title') ?? '', ...labelled]
  if (said.join('').trim() !== '') return []
  if (
    tagName === 'button' ||
    tagName === 'summary' ||
    (tagName === 'a' && attribute(element, 'href') !== null)
  )
    return textOf(element).trim() === ''
      ? [error(`The <${tagName}> says nothing: it has no text and no aria-label.`)]
      : []
  if (!INPUTS.has(tagName) || NAMED_INPUTS.has(attribute(element, 'type') ?? 'text')) return []
  const id = attribute(element, 'id')
  const labels = document.elements.filter(({ element }) => element.tagName === 'label')
  const isLabelled =
    above.some((outer) => outer.tagName === 'label') ||
    labels.some((label) => id !== null && attribute(label.element, 'htmlFor') === id)
  return isLabelled ? [] : [error(`The <${tagName}> has no label.`)]
}

const REFERENCES = ['ariaLabelledBy', 'ariaDescribedBy', 'ariaControls', 'htmlFor'] as const

function referenceFaults({ element }: ReadElement, document: ReadDocument): readonly Fault[] {
  const href = attribute(element, 'href') ?? ''
  const ids = REFERENCES.flatMap((name) => (attribute(element, name) ?? '').split(' '))
  const anchor = /^#([\w-]+)$/.exec(href)?.[1] ?? ''
  const viewport = attribute(element, 'name') === 'viewport' ? (attribute(element, 'content') ?? '') : ''
  return [
    ...[...ids, anchor]
      .filter((id) => id !== '' && document.byId(id) === null)
      .map((id) => error(`Nothing in the document has the id ${JSON.stringify(id)}.`)),
    ...(/user-scalable\s*=\s*(no|0)|maximum-scale\s*=\s*1(\.0)?\b/.test(viewport)
      ? [error('Readers are kept from making the page larger.')]
      : []),
    ...(Number(attribute(element, 'tabIndex') ?? 0) > 0
      ? [warning('A tabindex above 0 takes the keyboard out of the order of the page.')]
      : []),
  ]
}

function policyFaults({ element }: ReadElement, document: ReadDocument): readonly Fault[] {
  const { tagName, properties } = element
  const handler = Object.keys(properties).find((name) => /^on[A-Z]/.test(name))
  const link = attribute(element, tagName === 'script' ? 'src' : 'href') ?? ''
  const isFile = tagName === 'script' || attribute(element, 'rel') === 'stylesheet'
  const isData = /json/.test(attribute(element, 'type') ?? '')
  const isInline = tagName === 'style' || (tagName === 'script' && link === '' && !isData)
  return [
    ...(attribute(element, 'style') === null
      ? []
      : [refused('The policy of pages lets no style attribute count: use a class, and style.css.')]),
    ...(handler === undefined
      ? []
      : [refused(`The policy of pages lets no ${handler.toLowerCase()} attribute run.`)]),
    ...(isFile && /^(https?:)?\/\//.test(link)
      ? [refused(`The policy of pages loads no style and no script from elsewhere: ${link}.`)]
      : []),
    ...(isInline && !isAllowed(textOf(element), document)
      ? [
          refused(
            tagName === 'style'
              ? 'The policy of pages lets no <style> count: use style.css.'
              : 'The policy of pages lets no <script> run; a theme has none of its own.',
          ),
        ]
      : []),
  ]
}

/** Branding and the page for what is not there bring style along that the policy names by its hash. */
function isAllowed(text: string, { elements }: ReadDocument): boolean {
  const policies = elements.filter(
    ({ element }) => attribute(element, 'httpEquiv')?.toLowerCase() === 'content-security-policy',
  )
  if (policies.length === 0) return true
  return policies.some(({ element }) => (attribute(element, 'content') ?? '').includes(hashSource(text)))
}

function doubleIds({ elements }: ReadDocument): readonly Told[] {
  const seen = new Set<string>()
  return elements.flatMap(({ element, at }) => {
    const id = attribute(element, 'id')
    if (id === null) return []
    const isDouble = seen.has(id)
    seen.add(id)
    return isDouble && at !== null
      ? [{ ...error(`Two elements have the id ${JSON.stringify(id)}.`), at }]
      : []
  })
}

function headingFaults({ elements }: ReadDocument): readonly Told[] {
  let last = 0
  return elements.flatMap(({ element, at }) => {
    const level = Number(/^h([1-6])$/.exec(element.tagName)?.[1] ?? 0)
    if (level === 0) return []
    const before = last
    last = level
    if (at === null) return []
    if (level === 1 && elements.find((other) => other.element.tagName === 'h1')?.element !== element)
      return [{ ...error('There is a second <h1>.'), at }]
    return before > 0 && level > before + 1
      ? [{ ...warning(`Before this <h${level}> a level of headings is left out.`), at }]
      : []
  })
}
