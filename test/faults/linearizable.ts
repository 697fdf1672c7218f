/** One atomic step of a history: it happened at some moment between its two times. */
export interface Step<State> {
  /** When it was asked for. */
  readonly invoked: number
  /** When its answer came. */
  readonly answered: number
  /** The state after it, or null when it cannot have happened in this state with the answer it got. */
  readonly apply: (state: State) => State | null
  /** The state when it did not happen, for a step of which no answer says whether it did. */
  readonly otherwise?: (state: State) => State
}

export interface Verdict {
  readonly isLinearizable: boolean
  /** Number of steps in the longest order found; all of them when the history is linearizable. */
  readonly explained: number
}

/**
 * Whether the steps can be put in an order that explains all answers and in which no step comes before
 * one that was answered before it was asked for (Wing and Gong's search, with visited places remembered).
 *
 * @param keyOf tells states apart.
 */
export function linearize<State>(
  history: readonly Step<State>[],
  initial: State,
  keyOf: (state: State) => string,
): Verdict {
  const steps = [...history].sort((a, b) => a.invoked - b.invoked)
  const seen = new Set<string>()
  const open: Place<State>[] = [{ front: 0, done: 0n, count: 0, state: initial }]
  let explained = 0

  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    explained = Math.max(explained, place.count)
    if (place.count === steps.length) return { isLinearizable: true, explained }
    for (const index of mayComeNext(steps, place)) {
      for (const state of statesAfter(steps[index], place.state)) {
        const next = advanced(place, index, state)
        const key = `${next.front} ${next.done} ${keyOf(state)}`
        if (seen.has(key)) continue
        seen.add(key)
        open.push(next)
      }
    }
  }
  return { isLinearizable: false, explained }
}

function statesAfter<State>(step: Step<State> | undefined, before: State): readonly State[] {
  const after = step?.apply(before) ?? null
  return [
    ...(step?.otherwise === undefined ? [] : [step.otherwise(before)]),
    ...(after === null ? [] : [after]),
  ]
}

/** How far an order has come. */
interface Place<State> {
  /** All steps before this one are in the order. */
  readonly front: number
  /** Which of those from `front` on are, a bit each. */
  readonly done: bigint
  readonly count: number
  readonly state: State
}

/** Steps that are not in the order yet, and that no other such step was answered before. Latest first, as a stack wants it. */
function mayComeNext<State>(steps: readonly Step<State>[], { front, done }: Place<State>): readonly number[] {
  const found: number[] = []
  let firstAnswer = Number.POSITIVE_INFINITY
  for (let index = front; index < steps.length; index++) {
    const step = steps[index]
    if (step === undefined || step.invoked > firstAnswer) break
    if ((done >> BigInt(index - front)) & 1n) continue
    firstAnswer = Math.min(firstAnswer, step.answered)
    found.push(index)
  }
  return found.reverse()
}

function advanced<State>({ front, done, count }: Place<State>, index: number, state: State): Place<State> {
  let bits = done | (1n << BigInt(index - front))
  let next = front
  while (bits & 1n) {
    bits >>= 1n
    next += 1
  }
  return { front: next, done: bits, count: count + 1, state }
}
