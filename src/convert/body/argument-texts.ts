import { linkTarget } from './component-links.ts'

/** Names of arguments that readers see the values of. */
const SHOWN = /^(title|alt|caption|label|text|description|summary|header|heading|content|message)$/i
const LINKS = /^(href|link|url|to)$/i
const HIDDEN = /^(class|style|id|attr|rel|target)$/i

/** An argument of a shortcode or an include; without a name when it is known by its place. */
export interface Argument {
  readonly name: string | undefined
  readonly value: string
}

/** Reports whether readers may see the value of an argument: its name says so, or it has several words. */
export function isShown({ name = '', value }: Argument): boolean {
  return SHOWN.test(name) ? value.trim() !== '' : !HIDDEN.test(name) && /\p{L}\s+\p{L}/u.test(value)
}

/** The texts of the arguments of an unknown tag as Markdown, the first as a link where one is an address. Null without any. */
export function textsOfArguments(given: readonly Argument[]): string | null {
  const [first, ...others] = given.filter(isShown).map(({ value }) => value.trim())
  const href = given.find(({ name = '', value }) => LINKS.test(name) && /^([./#]|https?:)/.test(value))?.value
  if (href === undefined) return first === undefined ? null : [first, ...others].join(' – ')
  return [`[${(first ?? href).replace(/[[\]]/g, '\\$&')}](${linkTarget(href)})`, ...others].join(' – ')
}

/** The arguments of a tag: `title="A b" 'c d' e=f`. */
export function argumentsIn(text: string): readonly Argument[] {
  return [...text.matchAll(/(?:([\w-]+)=)?(?:"([^"]*)"|'([^']*)'|`([^`]*)`|([^\s"'`]+))/g)].map(
    ([, name, ...values]) => ({ name, value: values.find((value) => value !== undefined) ?? '' }),
  )
}
