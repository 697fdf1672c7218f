/** `now`, or a millisecond after `previous` when the clock has not moved past it. Both ISO 8601 in UTC. */
export function laterOf(now: string, previous: string): string {
  return now > previous ? now : new Date(Date.parse(previous) + 1).toISOString()
}
