// Finds pages in a site's search index, loading only those shards that a query needs.
import { formsStart, isForm } from './forms.js'
import { nearestStart, slipsAllowed } from './near.js'
import { namesIn, usualAnchor, wordsAsked, wordsIn } from './words.js'

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const VALUES = new Map([...DIGITS].map((digit, value) => [digit, value]))
const RANKS = 8
// The weight of a hit by its rank: text, headings, title.
const WEIGHTS = [1, 1.4, 1.8, 2.2, 4, 5, 9, 12]
// How much a word counts that is another form of the word asked for, or that starts with it: always less than the word.
const FORM = 0.85
const START = 0.3
// The most words of a query, and the most further shards that are searched for words that start with one, or for its
// forms. One or two letters start too many words.
const MOST_WORDS = 12
const MORE_SHARDS = 2
// The most shards that are searched to correct a word that no page has, and the most corrections that are tried.
const NEAR_SHARDS = 4
const MOST_MEANT = 8
// How much the start of a word counts before the last word of a query, which may not be typed to its end.
// A short one only counts if it is no word itself: `the` does not stand for `theme`.
const TYPED = 0.4
const LEAST_TYPED = 4
// The most sections that are listed under a page.
const MOST_SECTIONS = 3
// The hits that are ordered by their titles too, and how much more a title counts that the query names as a whole.
const BY_TITLE = 10
const WHOLE_TITLE = 0.5

/**
 * @param load loads a file of the site by its name: `_search.json`, `_search/….json`. Rejects if it does not exist:
 *   the index was replaced after its manifest was loaded, and both are loaded again.
 * @param language that of the reader's page, e.g. `de-AT`. Pages in it come first.
 * @param scope leaves out pages in other languages and versions: the tag of a language, `@` and the name of a version,
 *   each of which may be missing.
 * @param stem returns the stem of a word in that language. Absent for a language without word forms.
 * @returns find(query, most), which resolves to { total, words, slips, hits: [{ title, path, places, about, section,
 *   sections }] }, best first. `places` are the titles of the pages and folders around it. `sections` are { heading, anchor }, in the order of the page, and `section` is the one of them
 *   that matched best, or null if the page as a whole did. A slip is { typed, meant }: a word that no page has, and
 *   the word that was searched for instead.
 */
export function createFinder(load, { language = '', scope = '', stem } = {}) {
  let opened = null

  return async function find(query, most) {
    const words = wordsAsked(query).slice(0, MOST_WORDS)
    if (!words.length) return { total: 0, words, slips: [], hits: [] }
    for (let again = 0; ; again++) {
      try {
        opened ??= open()
        const index = await opened
        return await search(index, words, namesIn(query), most)
      } catch (error) {
        opened = null
        if (again === 2) throw error
      }
    }
  }

  async function open() {
    const manifest = await load('_search.json')
    const shards = new Map()
    const shard = (name) => {
      if (!shards.has(name)) {
        const loading = load(`_search/${name}.json`)
        loading.catch(() => shards.delete(name))
        shards.set(name, loading)
      }
      return shards.get(name)
    }
    const words = new Map()
    const wordShard = async (name) => {
      if (!words.has(name)) {
        const { words: list, hits, pages } = await shard(name)
        words.set(name, { words: list.split(' '), hits: hits.split(' '), pages })
      }
      return words.get(name)
    }
    const { base, fresh } = manifest
    const inBase = languageTest(language, base.languages, scope)
    const since = fresh === null ? { languages: '', pages: [] } : await shard(fresh)
    const inFresh = languageTest(language, since.languages, scope)
    const titles = new Map(Object.entries(base.places ?? {}))
    for (const [title, path] of since.pages) titles.set(path, title)
    return {
      ...manifest,
      firsts: base.firsts.split(' '),
      shard,
      wordShard,
      hiddenNumbers: new Set(manifest.hidden),
      stem,
      scope,
      titles,
      isOwn: (page) => (page < base.total ? inBase(page) : inFresh(page - base.total)),
    }
  }
}

function primary(tag) {
  return tag.toLowerCase().split('-')[0]
}

// Returns a function that says whether the page of a number is in the language. Runs are `en 12 de 3`: twelve pages in
// English, then three in German.
function languageTest(language, runs = '', scope = '') {
  const [tag, version] = scope.toLowerCase().split('@')
  const wanted = primary(language)
  const parts = runs.toLowerCase().split(' ')
  const ends = []
  const own = []
  for (let at = 0; at + 1 < parts.length; at += 2) {
    ends.push((ends.at(-1) ?? 0) + Number(parts[at + 1]))
    const [other, of = version] = parts[at].split('@')
    own.push((tag ? other === tag : scope || primary(other) === wanted) && of === version)
  }
  return (number) => own[bisect(ends, (end) => end <= number)] ?? false
}

async function search(index, words, names, most) {
  const [read, named] = await Promise.all([
    readWords(index, words),
    Promise.all(names.map((word) => matchesOf(index, { word, start: true }))),
  ])
  const scored = new Map()
  // A name that no page has is no word that pages lack.
  for (const matches of [...read.map((one) => one.matches), ...named]) {
    const rarity = rarityOf(index, matches)
    for (const [page, { weight, section, sections }] of matches) {
      const score = weight * rarity
      const known = scored.get(page) ?? { page, count: 0, score: 0, best: 0, section: 0, sections: new Map() }
      known.count++
      known.score += score
      for (const other of sections) known.sections.set(other, (known.sections.get(other) ?? 0) + rarity)
      // The rarest word decides which section the hit links to.
      if (rarity > known.best) Object.assign(known, { best: rarity, section })
      scored.set(page, known)
    }
  }
  let found = [...scored.values()].filter((one) => !index.scope || index.isOwn(one.page))
  const count = found.reduce((high, one) => Math.max(high, one.count), 0)
  found = found.filter((one) => one.count === count)
  for (const one of found) one.own = Number(index.isOwn(one.page))
  found.sort((a, b) => b.own - a.own || b.score - a.score || a.page - b.page)
  const asked = read.map((one) => (index.stem ? { ...one.asked, stem: index.stem } : one.asked))
  const lines = await Promise.all(
    found
      .slice(0, Math.max(most, BY_TITLE))
      .map(async (one) => ({ ...one, line: await lineOf(index, one.page) })),
  )
  const hits = byTitle(lines, asked)
    .slice(0, most)
    .map((one) => shown(one, asked, index.titles))
  const slips = read.flatMap(({ asked, typed }) => (typed === null ? [] : { typed, meant: asked.word }))
  const shownWords = asked.map(({ starts: _, ...word }) => word)
  return { total: found.length, words: shownWords, slips, hits }
}

// The first hits in the order of their scores and titles. Always the same ones, however many are shown.
function byTitle(lines, asked) {
  const first = lines.slice(0, BY_TITLE).map((one) => {
    const words = wordsIn(one.line[0])
    const named = words.map((word) => Math.max(0, ...asked.map((other) => closenessOf(word, other))))
    const share = named.reduce((all, part) => all + part, 0) / Math.max(1, words.length)
    return { ...one, score: one.score * (1 + WHOLE_TITLE * share) }
  })
  first.sort((a, b) => b.own - a.own || b.score - a.score || a.page - b.page)
  return [...first, ...lines.slice(BY_TITLE)]
}

function rarityOf({ total }, matches) {
  return Math.log(1 + total / (matches.size + 0.5))
}

// Finds the words as they were typed, and of those that no page has the corrections that fit the other words best.
async function readWords(index, words) {
  const read = await Promise.all(
    words.map(async (word, at) => {
      const isLast = at === words.length - 1
      let asked = isLast ? word : { ...word, starts: word.word.length < LEAST_TYPED ? 0 : TYPED }
      let matches = await matchesOf(index, asked)
      if (!matches.size && !isLast) {
        asked = word
        matches = await matchesOf(index, asked)
      }
      const meant = matches.size || !asked.start ? [] : await meantBy(index, asked.word)
      return { asked, typed: null, matches, meant }
    }),
  )
  return read.map((one) => {
    if (!one.meant.length) return one
    const others = read.filter((other) => other !== one)
    const [best] = one.meant
      .map((meant) => ({ ...meant, fit: fitOf(index, meant, others) }))
      .sort((a, b) => b.fit - a.fit || nearer(a, b))
    return { asked: { word: best.start, start: true }, typed: one.asked.word, matches: best.matches }
  })
}

// How well the best page that has a word matches the other words. Zero without other words.
function fitOf(index, { matches }, others) {
  const rest = others.flatMap(({ matches, meant }) => {
    const all = meant.length ? meant.map((one) => one.matches) : [matches]
    return [all.map((matches) => ({ matches, rarity: rarityOf(index, matches) }))]
  })
  if (!rest.length) return 0
  let best = 0
  for (const [page, { weight }] of matches) {
    let fit = weight
    for (const all of rest)
      fit += Math.max(
        ...all.map(({ matches, rarity }) => (matches.get(page)?.weight ?? -WEIGHTS[7]) * rarity),
      )
    best = Math.max(best, fit)
  }
  return best
}

// The nearest words of the index, with their matches: none if no word is near enough.
async function meantBy(index, word) {
  const most = slipsAllowed(word)
  if (most === 0) return []
  const { fresh, hiddenNumbers } = index
  let slips = most
  const known = new Map()
  const look = ({ words, hits }, isShown) => {
    words.forEach((other, at) => {
      const near = nearestStart(word, other, slips)
      if (near === null) return
      let pages = 0
      each(hits[at], (number) => {
        if (isShown(number)) pages++
      })
      if (pages === 0) return
      if (near.slips < slips) known.clear()
      slips = near.slips
      const same = known.get(near.start)
      const isStart = Number(near.start !== other)
      if (same) Object.assign(same, { pages: same.pages + pages, isStart: Math.min(same.isStart, isStart) })
      else known.set(near.start, { ...near, isStart, pages })
    })
  }
  const shards = await Promise.all(shardsNear(index, word).map((name) => index.wordShard(name)))
  for (const shard of shards) look(shard, (number) => !hiddenNumbers.has(number))
  if (fresh !== null) look(await index.wordShard(fresh), () => true)
  const nearest = [...known.values()].sort(nearer).slice(0, MOST_MEANT)
  return Promise.all(
    nearest.map(async (meant) => ({
      ...meant,
      matches: await matchesOf(index, { word: meant.start, start: true }),
    })),
  )
}

// Prefers whole words to starts of words, then words of more pages.
function nearer(one, other) {
  return one.slips - other.slips || one.isStart - other.isStart || other.pages - one.pages
}

// The shards of words with the same start, which is as short as the limit of shards allows.
function shardsNear({ base, firsts }, word) {
  for (let letters = 0; letters <= word.length; letters++) {
    const start = word.slice(0, letters)
    const from = Math.max(0, firstNotBefore(firsts, start) - 1)
    const to = bisect(firsts, (first) => first < start || first.startsWith(start))
    if (to - from <= NEAR_SHARDS) return base.words.slice(from, to)
  }
  return []
}

// The pages with the word, by number: first pages of the base, then pages of the fresh shard.
async function matchesOf(index, asked) {
  const matches = new Map()
  const { base, fresh, hiddenNumbers, stem } = index
  const wanted = { ...asked, stem, from: asked.start ? formsStart(asked.word, stem) : asked.word }
  const shards = await Promise.all(shardsFor(index, wanted).map((name) => index.wordShard(name)))
  for (const shard of shards)
    gather(shard, wanted, matches, (number) => (hiddenNumbers.has(number) ? -1 : number))
  if (fresh !== null) gather(await index.wordShard(fresh), wanted, matches, (number) => base.total + number)
  return matches
}

// The shard of the word itself, the next shards that can contain words that start with it, and those of its forms.
function shardsFor({ base, firsts }, { word, start, from }) {
  if (!base.words.length) return []
  const numbers = new Set()
  const addFrom = (text, more) => {
    const at = firstAfter(firsts, text) - 1
    numbers.add(at)
    for (let next = at + 1; next < base.words.length && next <= at + more; next++)
      if (firsts[next].startsWith(text)) numbers.add(next)
  }
  addFrom(word, start ? Math.min(MORE_SHARDS, Math.max(0, [...word].length - 2)) : 0)
  if (from !== word) addFrom(from, MORE_SHARDS)
  return [...numbers].map((at) => base.words[at])
}

function gather({ words, hits }, wanted, matches, numberOf) {
  const { word, start, from } = wanted
  for (let at = firstNotBefore(words, from); at < words.length; at++) {
    const found = words[at]
    if (found !== word && !(start && found.startsWith(from))) return
    const closeness = closenessOf(found, wanted)
    if (closeness > 0)
      each(hits[at], (number, place) => {
        const page = numberOf(number)
        if (page < 0) return
        const weight = closeness * WEIGHTS[place % RANKS]
        const section = Math.floor(place / RANKS)
        const known = matches.get(page)
        if (!known) matches.set(page, { weight, section, sections: [section] })
        else {
          if (!known.sections.includes(section)) known.sections.push(section)
          if (known.weight < weight) Object.assign(known, { weight, section })
        }
      })
  }
}

// From 0 to 1, which is the word itself.
function closenessOf(found, { word, start, stem, starts = 1 }) {
  if (found === word) return 1
  const length = starts * (START + (0.5 * word.length) / found.length)
  const closeness = start && found.startsWith(word) ? length : 0
  return start && isForm(found, word, stem) ? Math.max(FORM, closeness) : closeness
}

function each(hits, take) {
  let number = 0
  let at = 0
  const next = () => {
    for (let value = 0, shift = 0; ; shift += 5) {
      const digit = VALUES.get(hits[at++])
      value += (digit & 31) << shift
      if (digit < 32) return value
    }
  }
  while (at < hits.length) {
    number += next()
    take(number, next())
  }
}

async function lineOf({ base, fresh, shard }, page) {
  const number = page - base.total
  const size = base.pages_a_shard
  return number < 0
    ? (await shard(base.pages[Math.floor(page / size)]))[page % size]
    : (await shard(fresh)).pages[number]
}

function shown({ line, section, sections }, asked, titles) {
  const [title, path, about, flat] = line
  const sectionAt = (at) => {
    const heading = flat[2 * at - 2]
    return heading === undefined ? null : { heading, anchor: flat[2 * at - 1] || usualAnchor(heading) }
  }
  const numbers = listedSections(flat, { section, sections }, asked)
  return {
    title,
    path,
    places: placesOf(path, titles),
    about,
    section: section > 0 ? sectionAt(section) : null,
    sections: numbers.flatMap((at) => sectionAt(at) ?? []),
  }
}

// A folder without a page is named as its address says.
function placesOf(path, titles) {
  const parts = path.split('/').slice(1, -1)
  return parts.map((part, at) => {
    const words = part.replace(/[-_]+/g, ' ').trim()
    return (
      titles.get(`/${parts.slice(0, at + 1).join('/')}`) ?? words.charAt(0).toUpperCase() + words.slice(1)
    )
  })
}

// The sections of a page that match best, in its order: by the words of their heading, then by those found in them.
function listedSections(flat, { section, sections }, asked) {
  const scores = new Map(sections)
  for (let at = 1; 2 * at - 2 < flat.length; at++) {
    const words = wordsIn(flat[2 * at - 2])
    let score = 0
    for (const one of asked) score += Math.max(0, ...words.map((found) => closenessOf(found, one)))
    if (score > 0) scores.set(at, (scores.get(at) ?? 0) + 10 * score)
  }
  scores.delete(0)
  if (section > 0) scores.set(section, Infinity)
  const best = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, MOST_SECTIONS)
  return best.map(([at]) => at).sort((a, b) => a - b)
}

function firstNotBefore(sorted, word) {
  return bisect(sorted, (other) => other < word)
}

function firstAfter(sorted, word) {
  return bisect(sorted, (other) => other <= word)
}

// The number of elements at the start for which the predicate is true.
function bisect(sorted, holds) {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(sorted[middle])) low = middle + 1
    else high = middle
  }
  return low
}
