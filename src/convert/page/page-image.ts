import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import type { FieldProblem } from '../conversion.ts'
import { IMAGE_FIELDS } from './field-names.ts'
import { leftOut } from './field-problems.ts'
import { fieldText } from './field-text.ts'

export interface PageImage {
  readonly field: string
  /** The address. Null when it is not a path or URL that a page may use. */
  readonly url: string | null
  /** Empty when unknown. */
  readonly alt: string
}

export function imageOf(
  frontMatter: JsonObject,
  linkTo: (target: string) => string | null,
): PageImage | null {
  const field = IMAGE_FIELDS.find((name) => isImage(name, frontMatter[name]))
  const address = field && addressIn(frontMatter[field])
  if (field === undefined || address === undefined) return null
  // Many themes resolve a relative path in the root of the site, not in the folder of the page.
  const url = linkTo(address) ?? linkTo(`/${address}`) ?? address
  const [first] = [frontMatter[field]].flat()
  return {
    field,
    url: /^(?:\/(?!\/)|https?:\/\/[^/])[^\s\\]*$/i.test(url) ? url : null,
    alt: (isJsonObject(first) ? fieldText(first['alt']) : undefined) ?? '',
  }
}

export function isImage(field: string, value: JsonValue | undefined): boolean {
  return IMAGE_FIELDS.includes(field) && addressIn(value) !== undefined
}

/** The cover in `config`, which has alternative text. Without such text pages show `og_image_url`. */
export function coverOf(image: PageImage | null): JsonObject {
  if (image === null || image.url === null || image.alt === '') return {}
  return { image: { src: image.url, alt: image.alt } }
}

export function imageProblems(image: PageImage | null, frontMatter: JsonObject): readonly FieldProblem[] {
  if (image === null) return []
  const { field, url } = image
  const others = Object.keys(frontMatter).filter((name) => name !== field && isImage(name, frontMatter[name]))
  const onlyFirst = `Only the first image of \`${field}\` is converted: a page has one.`
  const [first] = [frontMatter[field]].flat()
  const lost = !isJsonObject(first)
    ? []
    : Object.keys(first).filter((name) => ![...ADDRESS_FIELDS, 'alt'].includes(name))
  const lostNames = lost.map((name) => `\`${name}\``).join(', ')
  return [
    ...(lost.length === 0
      ? []
      : [
          {
            code: 'QN-PARTLY-CONVERTED',
            field,
            message: `Of \`${field}\`, ${lostNames} is left out.`,
          } as const,
        ]),
    ...(url === null ? [leftOut(field, 'it is not the path or URL of an image')] : []),
    ...([frontMatter[field]].flat().length > 1
      ? [{ code: 'QN-PARTLY-CONVERTED', field, message: onlyFirst } as const]
      : []),
    ...others.map((name) => leftOut(name, `a page has one image, and \`${field}\` names it`)),
  ]
}

const ADDRESS_FIELDS: readonly string[] = ['path', 'src', 'url', 'image']

/** The URL of an image: a text, the first item of a list, or a field of an object. */
function addressIn(value: JsonValue | undefined): string | undefined {
  const [first] = [value].flat()
  if (!isJsonObject(first)) return fieldText(first)
  return fieldText(ADDRESS_FIELDS.map((name) => first[name]).find((each) => (each ?? null) !== null))
}
