import type { Random } from '../support/random.ts'
import { HOSTILE_TEXTS, HOSTILE_VALUES } from './hostile-values.ts'

/** Changes one part of the value: removes, adds or replaces a field, or makes a list too long. */
export function mutated(random: Random, value: unknown): unknown {
  if (random.chance(0.15)) return nasty(random)
  if (Array.isArray(value)) return mutatedList(random, value)
  if (typeof value === 'object' && value !== null) return mutatedObject(random, value)
  return nasty(random)
}

function mutatedList(random: Random, list: readonly unknown[]): unknown {
  if (list.length === 0 || random.chance(0.3)) return [...list, nasty(random)]
  if (random.chance(0.1)) return Array.from({ length: 60 }, () => list[0])
  const at = random.below(list.length)
  return list.map((item, i) => (i === at ? mutated(random, item) : item))
}

function mutatedObject(random: Random, object: object): unknown {
  const entries = Object.entries(object)
  if (entries.length === 0 || random.chance(0.2)) {
    const name = random.pick([
      'unknown',
      'title',
      'page_name',
      'status',
      'id',
      'theme',
      '',
      'constructor',
      '💥',
    ])
    return { ...object, [name]: nasty(random) }
  }
  const [name, inner] = random.pick(entries)
  if (random.chance(0.25)) return Object.fromEntries(entries.filter(([other]) => other !== name))
  return { ...object, [name]: mutated(random, inner) }
}

function nasty(random: Random): unknown {
  return random.chance(0.5) ? random.pick(HOSTILE_TEXTS) : random.pick(HOSTILE_VALUES)
}

/** Serialises a body, sometimes as malformed JSON. */
export function mutatedJson(random: Random, json: string): Buffer {
  const at = random.below(json.length + 1)
  switch (random.below(12)) {
    case 0:
      return Buffer.from(json.slice(0, at))
    case 1:
      return Buffer.from(`${json}${random.pick(['}', ' x', '\u0000', json])}`)
    case 2:
      return Buffer.concat([
        Buffer.from(json.slice(0, at)),
        Buffer.from([0xff, 0xc0, 0x80]),
        Buffer.from(json.slice(at)),
      ])
    case 3:
      return Buffer.from(`\ufeff${json}`)
    case 4:
      return Buffer.from(random.pick(['[]', '""', '1', 'null', 'NaN', '{', '{"a":1,}', "{'a':1}", '   ']))
    case 5:
      return Buffer.from(json.replace('{', '{"__proto__":{"admin":true},'))
    case 6:
      return Buffer.from(json.replace('{', '{"\\u005f_proto__":1,'))
    case 7:
      return Buffer.from(json.replace('{', '{"name":"\\ud800",'))
    case 8:
      return Buffer.from(json.replace('{', `{"deep":${'['.repeat(50)}${']'.repeat(50)},`))
    case 9:
      return Buffer.from(json, 'utf16le')
    case 10:
      return Buffer.from(json.replace('{', '{"title":"one","title":"two",'))
    default:
      return Buffer.from(json.replace(/"/g, (quote) => (random.chance(0.05) ? '' : quote)))
  }
}
