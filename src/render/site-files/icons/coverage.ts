/** Closed polygons, each a list of points. */
export type Outline = readonly (readonly Point[])[]
type Point = readonly [number, number]

/** Straight lines in place of a curve: more are not visible at the sizes of icons. */
const STEPS = 8

/** The polygons of an SVG path of `M`, `L`, `Q` and `Z`, absolute or relative. Curves become lines. */
export function outlineOf(path: string): Outline {
  const outline: Point[][] = []
  let polygon: Point[] = []
  let [x, y] = [0, 0]
  for (const [, command = '', args = ''] of path.matchAll(/([mlqz])([^mlqz]*)/gi)) {
    const numbers = (args.match(/-?[\d.]+/g) ?? []).map(Number)
    const isRelative = command === command.toLowerCase()
    const at = (index: number): Point => [
      (numbers[index] ?? 0) + (isRelative ? x : 0),
      (numbers[index + 1] ?? 0) + (isRelative ? y : 0),
    ]
    const kind = command.toLowerCase()
    if (kind === 'z') {
      ;[x, y] = polygon[0] ?? [0, 0]
      continue
    }
    const end = at(kind === 'q' ? 2 : 0)
    if (kind === 'm') {
      polygon = [end]
      outline.push(polygon)
    } else if (kind === 'l') polygon.push(end)
    else polygon.push(...curve([x, y], at(0), end))
    ;[x, y] = end
  }
  return outline
}

function curve([x0, y0]: Point, [x1, y1]: Point, [x2, y2]: Point): readonly Point[] {
  return Array.from({ length: STEPS }, (_, index) => {
    const t = (index + 1) / STEPS
    const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t * t]
    return [a * x0 + b * x1 + c * x2, a * y0 + b * y1 + c * y2] as const
  })
}

/**
 * Returns the fraction of each pixel of a square inside an outline, from 0 to 1, row by row. Each edge adds the area to
 * its right; a running sum over each row then gives the area inside. Polygons that overlap have to turn the same way.
 */
export function coverage(
  outline: Outline,
  side: number,
  place: { readonly scale: number; readonly x: number; readonly y: number },
): Float32Array {
  // One more, because an edge in the last pixel adds to the next.
  const areas = new Float32Array(side * side + 1)
  const moved = ([x, y]: Point): Point => [
    Math.min(Math.max(x * place.scale + place.x, 0), side),
    Math.min(Math.max(y * place.scale + place.y, 0), side),
  ]
  for (const polygon of outline)
    polygon.forEach((point, index) => {
      addEdge(areas, side, moved(point), moved(polygon[(index + 1) % polygon.length] ?? point))
    })
  for (let row = 0; row < side; row++)
    for (let sum = 0, index = row * side; index < (row + 1) * side; index++) {
      sum += areas[index] ?? 0
      areas[index] = Math.min(Math.abs(sum), 1)
    }
  return areas.subarray(0, side * side)
}

function addEdge(areas: Float32Array, side: number, from: Point, to: Point): void {
  if (from[1] === to[1]) return
  const [direction, [x0, y0], [x1, y1]] = from[1] < to[1] ? [1, from, to] : [-1, to, from]
  const slope = (x1 - x0) / (y1 - y0)
  for (let row = Math.floor(y0); row < Math.min(side, Math.ceil(y1)); row++) {
    const [top, bottom] = [Math.max(row, y0), Math.min(row + 1, y1)]
    addToRow(
      areas,
      row * side,
      side,
      direction * (bottom - top),
      x0 + (top - y0) * slope,
      x0 + (bottom - y0) * slope,
    )
  }
}

/** Adds a piece of an edge that is within one row. @param height signed by its direction. */
function addToRow(
  areas: Float32Array,
  start: number,
  side: number,
  height: number,
  xa: number,
  xb: number,
): void {
  const [left, right] = xa < xb ? [xa, xb] : [xb, xa]
  const last = Math.min(Math.floor(right), side - 1)
  let covered = 0
  for (let column = Math.min(Math.floor(left), last); column <= last + 1 && column < side; column++) {
    const share = column > last ? 1 : areaLeftOf(column + 1, left, right) - areaLeftOf(column, left, right)
    areas[start + column] = (areas[start + column] ?? 0) + height * (share - covered)
    covered = share
  }
}

/** The area between an edge from `left` to `right`, of height 1, and a vertical line to its right. */
function areaLeftOf(line: number, left: number, right: number): number {
  if (line <= left) return 0
  return line >= right ? line - (left + right) / 2 : (line - left) ** 2 / (2 * (right - left))
}
