import { readSourceDate } from '../page/source-date.ts'

const ZONE = / \((?:(?:GMT|UTC)([+-]\d{1,2})?(?::?(\d{2}))?)\)$/
const TARGET = /\(([^()\s]+)\)/g

/** The date of a property in ISO 8601. Null for a text that is more than a date, such as a range. */
export function propertyDate(value: string): string | null {
  const [zone = '', hours = '', minutes = '00'] = ZONE.exec(value) ?? []
  const bare = value.slice(0, value.length - zone.length).replace(/^@/, '')
  const sign = hours.startsWith('-') ? '-' : '+'
  const offset = hours === '' ? '' : ` ${sign}${hours.slice(1).padStart(2, '0')}${minutes}`
  return readSourceDate(`${bare}${/:\d/.test(bare) ? offset : ''}`)
}

/** The first date of a property: that of a range is its start. */
export function startDate(value: string): string | null {
  return propertyDate((value.split('→')[0] ?? '').trim())
}

/** The items of a property with several values. */
export function listedValues(value: string): readonly string[] {
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/**
 * The value of a property as Markdown: relations and files become links, and addresses too.
 *
 * @param addressOf the address of a page or file of the export. Null for other texts.
 */
export function markdownValue(value: string, addressOf: (target: string) => string | null): string {
  if (/^https?:\/\/[^\s<>]+$/.test(value) && !value.includes(',')) return addressed(value, addressOf)
  const related = relations(value, addressOf)
  if (related !== null) return related
  const items = value.split(', ')
  const isList = items.every((item) => /^https?:\/\/[^\s<>,]+$/.test(item) || addressOf(item) !== null)
  return isList ? items.map((item) => addressed(item, addressOf)).join(', ') : value
}

/** `Oak (Plants%20…/Oak%20….md), Elm (…)` as links. Null when nothing is in brackets that leads to a page or file. */
function relations(value: string, addressOf: (target: string) => string | null): string | null {
  let at = 0
  let result = ''
  for (const { 0: written, 1: target = '', index } of value.matchAll(TARGET)) {
    const address = addressOf(target)
    if (address === null) continue
    const before = value.slice(at, index)
    const separator = result !== '' && before.startsWith(', ') ? ', ' : ''
    result += `${separator}[${before.slice(separator.length).trim()}](${address})`
    at = index + written.length
  }
  return at === 0 ? null : result + value.slice(at)
}

function addressed(item: string, addressOf: (target: string) => string | null): string {
  const address = addressOf(item)
  if (address === null) return `<${item}>`
  return `[${labelOf(address)}](${address})`
}

/** The name of a file, or the title of a page, in the address of either. */
function labelOf(address: string): string {
  const name = decodeURIComponent(address.slice(address.lastIndexOf('/') + 1))
  return name.replace(/(?:[ -][0-9a-f]{32})?(?:_all)?\.(?:md|csv)$/, '').replace(/[[\]]/g, '\\$&')
}
