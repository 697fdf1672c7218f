// The program of a thread that renders beside the one that builds.
import { collectGarbage } from './collect-garbage.ts'
import { loadCompiled } from './load-compiled.ts'

const { renderInThread } = await loadCompiled()
let isDue = true
await renderInThread(() => {
  if (isDue) isDue = !collectGarbage()
})
