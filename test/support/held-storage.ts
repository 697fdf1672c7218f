import type { Storage } from '../../src/storage/storage.ts'

/** Holds up the writes of keys with an ending. */
export interface HeldWrite {
  /** Resolves when a write waits. */
  readonly reached: Promise<void>
  /** Lets waiting and later writes pass. */
  open(): void
}

/** A store whose writes can be held up, so that further publishes are accepted meanwhile and form one batch. */
export function createHeldStorage(storage: Storage): {
  readonly storage: Storage
  hold(ending: string): HeldWrite
} {
  let held: { readonly ending: string; readonly opened: Promise<void>; reached(): void } | null = null
  return {
    storage: {
      ...storage,
      async put(object, options) {
        if (held?.ending !== undefined && object.key.endsWith(held.ending)) {
          held.reached()
          await held.opened
        }
        await storage.put(object, options)
      },
    },
    hold(ending) {
      let release = (): void => {}
      const opened = new Promise<void>((resolve) => {
        release = resolve
      })
      const reached = new Promise<void>((resolve) => {
        held = { ending, opened, reached: resolve }
      })
      return {
        reached,
        open() {
          held = null
          release()
        },
      }
    },
  }
}
