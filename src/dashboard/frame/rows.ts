import type { Form } from './form.ts'

/** A column of a table with editable rows. */
export interface Column {
  readonly name: string
  readonly label: string
  readonly kind: 'line' | 'check'
}

/** A row as entered: values by column, and its depth below the rows before it. */
export interface Row {
  readonly depth: number
  readonly values: Readonly<Record<string, string>>
}

/** Maximum number of rows of a table; a form with more is rejected. Longer lists are edited as JSON. */
export const MAX_ROWS = 300

/** The rows of a table in a form, whose fields are named `links.0.label`. */
export function readRows(form: Form, table: string, columns: readonly Column[]): readonly Row[] {
  const count = Math.min(Number(/^\d{1,4}$/.exec(form.get(`${table}.rows`))?.[0] ?? 0), MAX_ROWS)
  return Array.from({ length: count }, (_, index) => ({
    depth: Number(/^\d$/.exec(form.get(`${table}.${index}.depth`))?.[0] ?? 0),
    values: Object.fromEntries(
      columns.map(({ name }) => [name, form.get(`${table}.${index}.${name}`).trim()] as const),
    ),
  }))
}

const ROW_ACTS = ['up', 'down', 'in', 'out', 'remove', 'add'] as const
export type RowAct = (typeof ROW_ACTS)[number]

/** Parses the action of a button of a table, such as `up.links.3`; null for another button. */
export function readRowAct(
  wanted: string,
): { readonly act: RowAct; readonly table: string; readonly index: number } | null {
  const [, name, table = '', index = '0'] = /^([a-z]+)\.(\w+)(?:\.(\d{1,4}))?$/.exec(wanted) ?? []
  const act = ROW_ACTS.find((one) => one === name)
  return act === undefined ? null : { act, table, index: Number(index) }
}

/** The rows with a blank one after them. */
export function addedRow(rows: readonly Row[]): readonly Row[] {
  return rows.length < MAX_ROWS ? [...rows, { depth: 0, values: {} }] : rows
}

/** The rows after a press of a button. A row moves with the rows below it. */
export function changedRows<Changed extends Row>(
  rows: readonly Changed[],
  act: Exclude<RowAct, 'add'>,
  index: number,
  maxDepth: number,
): readonly Changed[] {
  const row = rows[index]
  if (row === undefined) return rows
  const end = endOf(rows, index)
  const block = rows.slice(index, end)
  if (act === 'remove') return [...rows.slice(0, index), ...rows.slice(end)]
  if (act === 'up') {
    const above = startBefore(rows, index)
    return above === null
      ? rows
      : [...rows.slice(0, above), ...block, ...rows.slice(above, index), ...rows.slice(end)]
  }
  if (act === 'down') {
    if (rows[end]?.depth !== row.depth) return rows
    const next = endOf(rows, end)
    return [...rows.slice(0, index), ...rows.slice(end, next), ...block, ...rows.slice(next)]
  }
  const by = act === 'in' ? 1 : -1
  const deepest = Math.max(...block.map(({ depth }) => depth)) + by
  const above = rows[index - 1]?.depth ?? -1
  if (row.depth + by < 0 || deepest > maxDepth || row.depth + by > above + 1) return rows
  return rows.map((one, at) => (at >= index && at < end ? { ...one, depth: one.depth + by } : one))
}

/**
 * Returns the rows after one was dragged. Its children move with it. It gets the requested depth, or the closest one
 * that the rows around it allow.
 *
 * @param to index of the row after it, counted without the moved rows.
 */
export function draggedRows<Dragged extends Row>(
  rows: readonly Dragged[],
  index: number,
  { to, depth }: { readonly to: number; readonly depth: number },
  maxDepth: number,
): readonly Dragged[] {
  const row = rows[index]
  if (row === undefined) return rows
  const end = endOf(rows, index)
  const block = rows.slice(index, end)
  const others = [...rows.slice(0, index), ...rows.slice(end)]
  const height = Math.max(...block.map((one) => one.depth)) - row.depth
  const most = Math.min((others[to - 1]?.depth ?? -1) + 1, maxDepth - height)
  // No less deep than the next row, which would become its child.
  const least = Math.min(others[to]?.depth ?? 0, most)
  const by = Math.min(Math.max(depth, least), most) - row.depth
  const moved = block.map((one) => ({ ...one, depth: one.depth + by }))
  return [...others.slice(0, to), ...moved, ...others.slice(to)]
}

function endOf(rows: readonly Row[], index: number): number {
  const depth = rows[index]?.depth ?? 0
  const next = rows.findIndex((row, at) => at > index && row.depth <= depth)
  return next === -1 ? rows.length : next
}

/** Returns the index of the previous row of the same depth; null for the first one. */
function startBefore(rows: readonly Row[], index: number): number | null {
  const depth = rows[index]?.depth ?? 0
  for (let at = index - 1; at >= 0; at--) {
    const other = rows[at]?.depth ?? 0
    if (other < depth) return null
    if (other === depth) return at
  }
  return null
}

export interface RowTree {
  readonly values: Readonly<Record<string, string>>
  readonly children: readonly RowTree[]
}

/** Rows as a tree. A row that is too deep for the one before it is its child. */
export function treeOf(rows: readonly Row[]): readonly RowTree[] {
  const roots: RowTree[] = []
  const path: { readonly depth: number; readonly children: RowTree[] }[] = [{ depth: -1, children: roots }]
  for (const { depth, values } of rows) {
    while ((path.at(-1)?.depth ?? -1) >= depth) path.pop()
    const children: RowTree[] = []
    path.at(-1)?.children.push({ values, children })
    path.push({ depth, children })
  }
  return roots
}

export function isBlank({ values }: Pick<Row, 'values'>): boolean {
  return Object.values(values).every((value) => value === '')
}
