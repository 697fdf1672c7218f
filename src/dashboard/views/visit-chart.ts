import type { CountedDay } from '../../db/repositories/visits.ts'

/** Units of the drawing: a day is as wide as ten, and the highest bar as high as a hundred. */
const DAY_WIDTH = 10
const HEIGHT = 100
const GAP = 1.5
/** A day with visits has a bar that can be seen. */
const LEAST = 1

export interface BarChart {
  readonly width: number
  readonly height: number
  /** The number at the top. */
  readonly most: number
  readonly bars: readonly Bar[]
}

interface Bar extends CountedDay {
  readonly x: number
  readonly width: number
  /** Agents are drawn above visitors. */
  readonly parts: readonly {
    readonly kind: 'people' | 'agents'
    readonly y: number
    readonly height: number
  }[]
}

/** The bars of a drawing of reads by day, visitors below agents. */
export function barChart(days: readonly CountedDay[]): BarChart {
  const most = roundedUp(Math.max(1, ...days.map(({ people, agents }) => people + agents)))
  const bars = days.map((day, index): Bar => {
    const people = heightOf(day.people, most)
    const agents = heightOf(day.agents, most)
    const parts = [
      { kind: 'people' as const, y: HEIGHT - people, height: people },
      { kind: 'agents' as const, y: HEIGHT - people - agents, height: agents },
    ].filter(({ height }) => height > 0)
    return { ...day, x: index * DAY_WIDTH + GAP / 2, width: DAY_WIDTH - GAP, parts }
  })
  return { width: days.length * DAY_WIDTH, height: HEIGHT, most, bars }
}

function heightOf(count: number, most: number): number {
  return count === 0 ? 0 : Math.max(LEAST, Math.round((count / most) * HEIGHT * 100) / 100)
}

/** The next round number: 1, 2, 3, 4, 5, 6, 8, 10, 20, 30, … */
function roundedUp(count: number): number {
  const power = 10 ** Math.floor(Math.log10(count))
  const step = [1, 2, 3, 4, 5, 6, 8, 10].find((one) => one * power >= count) ?? 10
  return step * power
}
