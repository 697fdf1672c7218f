import { isJsonObject, type JsonValue } from '../../domain/json.ts'
import { backticksFor } from '../body/backticks.ts'
import { boxKind, openingLine, tabLine } from '../body/box-kinds.ts'
import { linkTarget } from '../body/component-links.ts'
import { fieldText } from '../page/field-text.ts'

/** The replacement of a tag. */
export type Markdown =
  /** On lines of its own. */
  | { readonly block: string; readonly message?: string }
  /** In the line of the tag. */
  | { readonly inline: string; readonly message?: string }

/** The replacements of the opening and the closing tag of a component. */
export interface Replacement {
  readonly open: Markdown
  /** Nothing by default. */
  readonly close?: Markdown
  /** Names of the tabs inside of it, by value or in order. */
  readonly labels?: Labels
}

export interface Labels {
  readonly byValue: ReadonlyMap<string, string>
  readonly inOrder: readonly string[]
  /** The number of tabs so far. */
  count: number
}

/** A component on a page. */
export interface Component {
  readonly name: string
  readonly isSelf: boolean
  readonly attributes: Readonly<Record<string, JsonValue>>
  /** The text after the tag. */
  readonly after: string
  /** Labels of the tabs around it. */
  readonly labels: Labels | null
  /** The number of folders of a file tree around it. */
  readonly depth: number
}

const NOTHING: Markdown = { inline: '' }
/** Components that only lay out their content. */
const LAYOUT =
  /^(|Fragment|React\.Fragment|CardGrid|Cards|CardGroup|FileTree|Columns?|ColumnGroup|Grid|Row|Bleed|LinkGrid|Center|Box|Container|Frame|AccordionGroup|StepList|Wrapper)$/

/** The Markdown of the components that documentation generators have. Null for an unknown one. */
export function replacementOf(component: Component): Replacement | null {
  const { name, attributes, isSelf } = component
  const title = fieldText(attributes['title'])
  if (/^(Tabs|TabGroup|CodeGroup|CodeTabs|TabPanels)$/.test(name))
    return { open: { block: ':::tabs' }, close: { block: ':::' }, labels: labelsOf(attributes) }
  if (/^(TabItem|Tab|Tabs\.Tab|TabPanel)$/.test(name)) return { open: { block: tabLine(tabName(component)) } }
  const kind = /^(Admonition|Aside|Callout|Alert|Notice)$/.test(name)
    ? (boxKind(fieldText(attributes['type'] ?? attributes['kind'] ?? attributes['variant']) ?? 'note') ??
      'note')
    : /^(Note|Tip|Info|Warning|Danger|Caution|Important|Success|Check)$/.test(name)
      ? boxKind(name)
      : null
  if (kind !== null && !isSelf)
    return {
      open: { block: openingLine(kind, title ?? fieldText(attributes['label'])) },
      close: { block: ':::' },
    }
  if (/^(Details|Accordion|Collapse|Collapsible|Expandable|Spoiler)$/.test(name) && !isSelf) {
    const summary = fieldText(attributes['summary'] ?? attributes['title'] ?? attributes['label'])
    return { open: { block: openingLine('details', summary) }, close: { block: ':::' } }
  }
  if (name === 'Steps')
    return /^\s*\d+[.)]\s/.test(component.after)
      ? { open: { block: ':::steps' }, close: { block: ':::' } }
      : { open: NOTHING }
  if (/^(Card|Cards\.Card|LinkCard|Feature)$/.test(name)) return cardOf(component)
  if (/^FileTree\.(Folder|File)$/.test(name))
    return { open: { block: `${'  '.repeat(component.depth)}- ${fieldText(attributes['name']) ?? ''}` } }
  if (/^(LinkButton|Button|ButtonLink|Link|NavLink|A)$/.test(name)) return linkOf(component)
  if (/^(Badge|Tag|Pill|Chip)$/.test(name)) {
    const text = fieldText(attributes['text'] ?? attributes['label'])
    if (isSelf) return text === undefined ? null : { open: { inline: `**${text}**` } }
    return { open: { inline: '**' }, close: { inline: '**' } }
  }
  if (/^(Image|Img|ThemedImage|ThemeImage|ZoomImage|ZoomableImage|Figure|Picture|IdealImage)$/.test(name))
    return imageOf(attributes)
  if (/^(Code|CodeBlock)$/.test(name) && isSelf) return codeOf(attributes, attributes['code'])
  if (/^(YouTube|Youtube|LiteYouTubeEmbed|YouTubeEmbed)$/.test(name)) {
    const id = fieldText(attributes['id'] ?? attributes['videoId'])
    return id === undefined ? null : { open: { inline: `[${title ?? 'YouTube'}](https://youtu.be/${id})` } }
  }
  return LAYOUT.test(name) ? { open: NOTHING } : null
}

/** A fenced block. Null when the code is unknown. */
export function codeOf(
  attributes: Readonly<Record<string, JsonValue>>,
  code: JsonValue | undefined,
): Replacement | null {
  if (typeof code !== 'string') return null
  const language = fieldText(attributes['lang'] ?? attributes['language']) ?? 'text'
  const title = fieldText(attributes['title'])
  const fence = backticksFor(code, 3)
  const info = title === undefined ? language : `${language} title="${title}"`
  return { open: { block: `${fence}${info}\n${code.replace(/^\n+|\s+$/g, '')}\n${fence}` } }
}

function labelsOf({ values, items }: Readonly<Record<string, JsonValue>>): Labels {
  const given = Array.isArray(values) ? values.filter(isJsonObject) : []
  const byValue = given.flatMap(({ value, label }): [string, string][] =>
    typeof value === 'string' && typeof label === 'string' ? [[value, label]] : [],
  )
  const inOrder = Array.isArray(items)
    ? items.map((item) => fieldText(isJsonObject(item) ? item['label'] : item) ?? 'Tab')
    : []
  return { byValue: new Map(byValue), inOrder, count: 0 }
}

function tabName({ attributes, labels }: Component): string {
  const index = labels === null ? 0 : labels.count++
  const value = fieldText(attributes['value'])
  return (
    fieldText(attributes['label'] ?? attributes['title'] ?? attributes['header'] ?? attributes['name']) ??
    (value === undefined ? undefined : labels?.byValue.get(value)) ??
    labels?.inOrder[index] ??
    value ??
    `Tab ${index + 1}`
  )
}

function cardOf({ attributes, isSelf }: Component): Replacement {
  const title = fieldText(attributes['title'] ?? attributes['label']) ?? ''
  const href = fieldText(attributes['href'] ?? attributes['to'] ?? attributes['link'])
  const description = fieldText(attributes['description'])
  const shown = href === undefined ? `**${title}**` : `[${title || href}](${linkTarget(href)})`
  if (isSelf) return { open: { block: `- ${shown}${description === undefined ? '' : `: ${description}`}` } }
  const lead = title === '' && href === undefined ? '' : `${href === undefined ? shown : `**${shown}**`}\n`
  return { open: lead === '' ? NOTHING : { block: `\n${lead}` } }
}

function linkOf({ name, attributes, isSelf }: Component): Replacement | null {
  const href = fieldText(attributes['href'] ?? attributes['to'] ?? attributes['link'])
  if (href === undefined) return name === 'Button' && !isSelf ? { open: NOTHING } : null
  const text = fieldText(attributes['label'] ?? attributes['text'] ?? attributes['title'])
  if (isSelf) return { open: { inline: `[${text ?? href}](${linkTarget(href)})` } }
  return { open: { inline: '[' }, close: { inline: `](${linkTarget(href)})` } }
}

function imageOf(attributes: Readonly<Record<string, JsonValue>>): Replacement | null {
  const sources = attributes['sources']
  const own = attributes['src'] ?? attributes['img'] ?? attributes['light']
  const src =
    fieldText(isJsonObject(own) ? own['src'] : own) ??
    (isJsonObject(sources) ? fieldText(sources['light']) : undefined)
  if (src === undefined) return null
  const words = fieldText(attributes['caption'] ?? attributes['title'])
  const alt = fieldText(attributes['alt']) ?? words ?? ''
  const inline = `![${alt.replace(/[[\]]/g, '')}](${linkTarget(src)}${words === undefined ? '' : ` ${JSON.stringify(words)}`})`
  const hasDark = isJsonObject(sources) || attributes['dark'] !== undefined
  return {
    open: hasDark ? { inline, message: 'Only the light one of two pictures is converted.' } : { inline },
  }
}

/**
 * An attribute of HTML, from its name in JSX. Null for a value without text, such as `style={{…}}`, and for an event
 * handler.
 */
export function htmlAttribute(name: string, value: JsonValue): string | null {
  const html = name === 'className' ? 'class' : name === 'htmlFor' ? 'for' : name
  if (value === true) return html
  if (typeof value !== 'string' && typeof value !== 'number') return null
  if (/^on[A-Z]/.test(name)) return null
  return `${html}="${String(value).replaceAll('"', '&quot;')}"`
}
