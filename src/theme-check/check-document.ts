import type { Element } from 'hast'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import { parseUrl } from '../domain/parse-url.ts'
import { hashSource } from '../render/page/content-policy.ts'
import { BLOCKED_SCRIPT, blockedHandler } from './check-templates.ts'
import { attribute, type ReadDocument, type ReadElement, textOf } from './document.ts'
import type { TemplatePosition } from './instrument-templates.ts'

/** An error of one element, whose position the caller adds. */
type Problem = Pick<Diagnostic, 'code' | 'message'>

const inaccessible = (message: string): Problem => ({ code: 'QN-ACCESSIBILITY', message })
const misordered = (message: string): Problem => ({ code: 'QN-READING-ORDER', message })
const blocked = (message: string): Problem => ({ code: 'QN-CONTENT-POLICY', message })

/**
 * Checks a rendered document for accessibility and for things that its content security policy blocks. Only elements
 * that templates write are checked: content belongs to the author of the page.
 *
 * @param layout the position reported for diagnostics of the whole document.
 */
export function checkDocument(document: ReadDocument, layout: TemplatePosition): readonly Diagnostic[] {
  return [
    ...checkStructure(document).map((problem) => located(problem, layout)),
    ...document.elements.flatMap((found) =>
      found.at === null ? [] : checkElement(found, document).map(locatedAt(found.at)),
    ),
    ...duplicateIds(document),
    ...checkHeadings(document),
  ]
}

function located({ code, message }: Problem, { file, line }: TemplatePosition): Diagnostic {
  return diagnostic(code, file, message, { line })
}

function locatedAt(at: TemplatePosition) {
  return (problem: Problem) => located(problem, at)
}

function checkElement(found: ReadElement, document: ReadDocument): readonly Problem[] {
  return [...checkName(found, document), ...checkReferences(found, document), ...checkPolicy(found, document)]
}

function checkStructure({ elements }: ReadDocument): readonly Problem[] {
  const named = (name: string) => elements.filter(({ element }) => element.tagName === name)
  const [html] = named('html')
  const [title] = named('title')
  const count = (name: string) => named(name).length
  return [
    ...((html === undefined ? null : attribute(html.element, 'lang'))
      ? []
      : [inaccessible('<html> has no language. Write lang="<%= it.lang %>".')]),
    ...(title !== undefined && textOf(title.element).trim() !== ''
      ? []
      : [inaccessible('The document has no <title>.')]),
    ...(count('main') === 1
      ? []
      : [inaccessible(`A document needs exactly one <main>. This one has ${count('main')}.`)]),
    ...(count('h1') > 0 ? [] : [inaccessible('The document has no <h1>.')]),
  ]
}

const INPUTS = new Set(['input', 'select', 'textarea'])
/** Types of `<input>` that need no label, or have their own text. */
const NAMED_INPUTS = new Set(['hidden', 'submit', 'reset', 'button', 'image'])

/** Elements need a name that a screen reader can announce. */
function checkName({ element, above }: ReadElement, document: ReadDocument): readonly Problem[] {
  const { tagName } = element
  if (attribute(element, 'ariaHidden') === 'true') return []
  if (tagName === 'img') {
    const hasAlt = attribute(element, 'alt') !== null
    return hasAlt ? [] : [inaccessible('The image has no alt attribute. Write alt="" if it is decorative.')]
  }
  if (tagName === 'iframe' && !attribute(element, 'title'))
    return [inaccessible('The <iframe> has no title.')]
  const labelTexts = (attribute(element, 'ariaLabelledBy') ?? '')
    .split(' ')
    .map((id) => document.byId(id))
    .map((found) => (found === null ? '' : textOf(found.element)))
  const names = [attribute(element, 'ariaLabel') ?? '', attribute(element, 'title') ?? '', ...labelTexts]
  if (names.join('').trim() !== '') return []
  if (
    tagName === 'button' ||
    tagName === 'summary' ||
    (tagName === 'a' && attribute(element, 'href') !== null)
  )
    return textOf(element).trim() === ''
      ? [inaccessible(`The <${tagName}> has neither text nor an aria-label.`)]
      : []
  if (!INPUTS.has(tagName) || NAMED_INPUTS.has(attribute(element, 'type') ?? 'text')) return []
  const id = attribute(element, 'id')
  const labels = document.elements.filter(({ element }) => element.tagName === 'label')
  const isLabelled =
    above.some((outer) => outer.tagName === 'label') ||
    labels.some((label) => id !== null && attribute(label.element, 'htmlFor') === id)
  return isLabelled ? [] : [inaccessible(`The <${tagName}> has no label.`)]
}

const REFERENCES = ['ariaLabelledBy', 'ariaDescribedBy', 'ariaControls', 'htmlFor'] as const

function checkReferences({ element }: ReadElement, document: ReadDocument): readonly Problem[] {
  const href = attribute(element, 'href') ?? ''
  const ids = REFERENCES.flatMap((name) => (attribute(element, name) ?? '').split(' '))
  const anchor = /^#([\w-]+)$/.exec(href)?.[1] ?? ''
  const viewport = attribute(element, 'name') === 'viewport' ? (attribute(element, 'content') ?? '') : ''
  return [
    ...[...ids, anchor]
      .filter((id) => id !== '' && document.byId(id) === null)
      .map((id) => inaccessible(`No element of the document has the id ${JSON.stringify(id)}.`)),
    ...(/user-scalable\s*=\s*(no|0)|maximum-scale\s*=\s*1(\.0)?\b/.test(viewport)
      ? [inaccessible('The viewport prevents readers from zooming in.')]
      : []),
    ...(Number(attribute(element, 'tabIndex') ?? 0) > 0
      ? [misordered('A tabindex above 0 changes the order of keyboard focus.')]
      : []),
  ]
}

function checkPolicy({ element }: ReadElement, document: ReadDocument): readonly Problem[] {
  const { tagName, properties } = element
  const handler = Object.keys(properties).find((name) => /^on[A-Z]/.test(name))
  const link = attribute(element, tagName === 'script' ? 'src' : 'href') ?? ''
  const isFile = tagName === 'script' || attribute(element, 'rel') === 'stylesheet'
  const isData = /json/.test(attribute(element, 'type') ?? '')
  const isInline = tagName === 'style' || (tagName === 'script' && link === '' && !isData)
  return [
    ...(attribute(element, 'style') === null
      ? []
      : [blocked('The content security policy blocks style attributes. Use a class and style.css.')]),
    ...(handler === undefined ? [] : [blocked(blockedHandler(handler.toLowerCase()))]),
    ...(isFile && /^(https?:)?\/\//.test(link)
      ? [blocked(`The content security policy blocks styles and scripts of other origins: ${link}.`)]
      : []),
    ...(tagName === 'form' ? blockedForm(element, document) : []),
    ...(isInline && !isAllowed(textOf(element), document)
      ? [
          blocked(
            tagName === 'style'
              ? 'The content security policy blocks <style> elements. Use style.css.'
              : BLOCKED_SCRIPT,
          ),
        ]
      : []),
  ]
}

/** The policy allows the inline styles of branding and of the 404 page by their hashes. */
function isAllowed(text: string, { elements }: ReadDocument): boolean {
  const policies = policiesOf(elements)
  return policies.length === 0 || policies.some((policy) => policy.includes(hashSource(text)))
}

function policiesOf(elements: ReadDocument['elements']): readonly string[] {
  return elements
    .filter(({ element }) => attribute(element, 'httpEquiv')?.toLowerCase() === 'content-security-policy')
    .map(({ element }) => attribute(element, 'content') ?? '')
}

/** A form that is sent to another origin than the page allows. */
function blockedForm(form: Element, { elements }: ReadDocument): readonly Problem[] {
  const action = attribute(form, 'action') ?? ''
  const target = parseUrl(action)
  if (target === null || !/^https?:$/.test(target.protocol)) return []
  const isForbidden = policiesOf(elements)
    .map((policy) => /form-action ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? [])
    .some((allowed) => !allowed.includes(target.origin) && !allowed.includes(target.protocol))
  const message = `The content security policy blocks forms that are sent to ${target.origin}. Name it in form_origins of theme.json.`
  return isForbidden ? [blocked(message)] : []
}

function duplicateIds({ elements }: ReadDocument): readonly Diagnostic[] {
  const ids = new Set<string>()
  return elements.flatMap(({ element, at }) => {
    const id = attribute(element, 'id')
    if (id === null) return []
    const isDuplicate = ids.has(id)
    ids.add(id)
    return isDuplicate && at !== null
      ? [located(inaccessible(`Two elements have the id ${JSON.stringify(id)}.`), at)]
      : []
  })
}

function checkHeadings({ elements }: ReadDocument): readonly Diagnostic[] {
  let previousLevel = 0
  return elements.flatMap(({ element, at }) => {
    const level = Number(/^h([1-6])$/.exec(element.tagName)?.[1] ?? 0)
    if (level === 0) return []
    const skips = previousLevel > 0 && level > previousLevel + 1
    previousLevel = level
    if (at === null) return []
    if (level === 1 && elements.find((other) => other.element.tagName === 'h1')?.element !== element)
      return [located(inaccessible('The document has a second <h1>.'), at)]
    return skips ? [located(misordered(`This <h${level}> skips a level of headings.`), at)] : []
  })
}
