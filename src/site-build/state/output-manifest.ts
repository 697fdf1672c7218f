import type { Owner, OwnerKind } from '../../domain/artifact.ts'
import type { BuiltFile } from './built-page.ts'

/*
 * The output manifest: every file that a build wrote. Most files belong to pages, of which an incremental build needs
 * few. Those stay in their stored text, one line per file sorted by key, with changes in a map on top of it.
 */

export interface OutputManifest {
  readonly size: number
  get(key: string): BuiltFile | undefined
  has(key: string): boolean
  keys(): Iterable<string>
  /** Files that belong to neither pages nor redirects. */
  readonly others: ReadonlyMap<string, BuiltFile>
  ofPages(ids: ReadonlySet<string>): readonly KeyedFile[]
  /** @param changes null removes a file. */
  with(changes: Iterable<readonly [key: string, file: BuiltFile | null]>): OutputManifest
  /** Keys missing from the other manifest. */
  without(other: OutputManifest): readonly string[]
  /** The stored form: files of pages, and all others. */
  texts(): ManifestTexts
}

type KeyedFile = readonly [key: string, file: BuiltFile]

export interface ManifestTexts {
  readonly pages: string
  readonly others: string
}

export function outputManifest(files: Iterable<KeyedFile>): OutputManifest {
  return NO_FILES.with(files)
}

export function parseManifest({ pages, others }: ManifestTexts): OutputManifest {
  return laidOver(pages, new Map(), new Map(filesInText(others)))
}

/** Reports whether a text has the form of `texts`, with at least one file. */
export function isManifest(text: string): boolean {
  return (
    text.endsWith('\n') &&
    text
      .slice(0, -1)
      .split('\n')
      .every((line) => LINE.test(line))
  )
}

/** A line of `lineOf`: key, kind and id of the owner, SHA-256. */
const LINE = /^[^\t]+\t[a-z-]*\t[^\t]*\t[0-9a-f]{64}$/

interface Laid extends OutputManifest {
  readonly text: string
  readonly laid: ReadonlyMap<string, BuiltFile | null>
}

/** @param laid changes on top of the text; null for a removed file. */
function laidOver(
  text: string,
  laid: ReadonlyMap<string, BuiltFile | null>,
  others: ReadonlyMap<string, BuiltFile>,
): Laid {
  const get = (key: string) => {
    const file = others.get(key) ?? laid.get(key)
    return file === undefined ? fileAt(text, key) : (file ?? undefined)
  }
  const has = (key: string) => get(key) !== undefined
  const files: Laid = {
    text,
    laid,
    others,
    get,
    has,
    get size() {
      let size = 0
      for (const _ of keys()) size += 1
      return size
    },
    keys,
    ofPages: (ids) => [
      ...filesOf(text, ids).filter(([key]) => !laid.has(key)),
      ...[...laid].filter((entry): entry is [string, BuiltFile] => ids.has(entry[1]?.owner?.id ?? '')),
    ],
    with: (changes) => changed(files, changes),
    without: (other) => [...keysToCompare(files, other as Laid)].filter((key) => has(key) && !other.has(key)),
    texts: () => ({ pages: textWith(text, laid), others: textWith('', others) }),
  }
  return files

  function* keys(): Generator<string> {
    for (let at = 0; at < text.length; at = endOf(text, at) + 1) {
      const key = keyAt(text, at)
      if (!laid.has(key)) yield key
    }
    for (const [key, file] of laid) if (file !== null) yield key
    yield* others.keys()
  }
}

const NO_FILES: OutputManifest = laidOver('', new Map(), new Map())

function changed(
  { text, laid, others }: Laid,
  changes: Iterable<readonly [string, BuiltFile | null]>,
): OutputManifest {
  const otherFiles = new Map(others)
  // Copied only when it changes: it may cover all pages of a site.
  let over: Map<string, BuiltFile | null> | null = null
  for (const [key, file] of changes) {
    const ofPage = file !== null && isOfPage(file) ? file : null
    if (file === null || ofPage !== null) otherFiles.delete(key)
    else otherFiles.set(key, file)
    const isLaid = ofPage !== null || fileAt(text, key) !== undefined
    if (!isLaid && !(over ?? laid).has(key)) continue
    over ??= new Map(laid)
    if (isLaid) over.set(key, ofPage)
    else over.delete(key)
  }
  return laidOver(text, over ?? laid, otherFiles)
}

/** If both have the same base text, only changed keys can differ. */
function keysToCompare(files: Laid, { text, laid }: Laid): ReadonlySet<string> {
  const keys =
    text === files.text ? [laid, files.laid, files.others].flatMap((map) => [...map.keys()]) : files.keys()
  return new Set(keys)
}

function isOfPage({ owner }: Pick<BuiltFile, 'owner'>): boolean {
  return owner?.kind === 'page' || owner?.kind === 'redirect'
}

function lineOf(key: string, { owner, digest }: BuiltFile): string {
  return `${key}\t${owner?.kind ?? ''}\t${owner?.id ?? ''}\t${digest}\n`
}

function textWith(text: string, laid: ReadonlyMap<string, BuiltFile | null>): string {
  const done: string[] = []
  let parts: string[] = []
  let end = 0
  for (const key of [...laid.keys()].sort()) {
    const file = laid.get(key) ?? null
    const at = text === '' ? 0 : placeOf(text, key)
    if (at > end) parts.push(text.slice(end, at))
    if (file !== null) parts.push(lineOf(key, file))
    end = at < text.length && keyAt(text, at) === key ? endOf(text, at) + 1 : at
    // Many separate lines take more memory than one joined string.
    if (parts.length < AT_ONCE) continue
    done.push(parts.join(''))
    parts = []
  }
  return laid.size === 0 ? text : [...done, ...parts, text.slice(end)].join('')
}

const AT_ONCE = 500

function* filesInText(text: string): Generator<KeyedFile> {
  for (let at = 0; at < text.length; at = endOf(text, at) + 1) yield [keyAt(text, at), fileIn(text, at)]
}

function fileAt(text: string, key: string): BuiltFile | undefined {
  const at = text === '' ? 0 : placeOf(text, key)
  return at < text.length && keyAt(text, at) === key ? fileIn(text, at) : undefined
}

/** Start of the line of a key, or of the next key in order. */
function placeOf(text: string, key: string): number {
  let [from, to] = [0, text.length]
  while (from < to) {
    const at = text.lastIndexOf('\n', ((from + to) >>> 1) - 1) + 1
    if (keyAt(text, at) < key) from = endOf(text, at) + 1
    else to = at
  }
  return from
}

/** Up to this number of owners, files are found owner by owner; for more, all lines are read. */
const FEW = 8

function filesOf(text: string, ids: ReadonlySet<string>): readonly KeyedFile[] {
  if (ids.size > FEW) return [...filesInText(text)].filter(([, { owner }]) => ids.has(owner?.id ?? ''))
  const found: KeyedFile[] = []
  for (const id of ids) {
    const column = `\t${id}\t`
    for (let place = text.indexOf(column); place >= 0; place = text.indexOf(column, place + 1)) {
      const at = text.lastIndexOf('\n', place) + 1
      found.push([keyAt(text, at), fileIn(text, at)])
    }
  }
  return found
}

/** The key of the line that starts there. */
function keyAt(text: string, at: number): string {
  return text.slice(at, text.indexOf('\t', at))
}

function endOf(text: string, at: number): number {
  return text.indexOf('\n', at)
}

function fileIn(text: string, at: number): BuiltFile {
  const [, kind = '', id = '', digest = ''] = text.slice(at, endOf(text, at)).split('\t')
  const owner: Owner | null = kind === '' ? null : { kind: kind as OwnerKind, id }
  return { owner, digest }
}
