/** Bytes; the largest block that the C library may keep. */
const LARGEST = 32 * 2 ** 20 - 2 ** 16

/**
 * Has the memory of large buffers, once they are free, kept for the next ones. By itself the C library hands each
 * back, and the system clears every page of the next one when it is first touched: on a virtual machine that can take
 * ten times as long as to fill it. Source: mallopt(3), `M_MMAP_THRESHOLD`: blocks as large as the largest that was
 * freed are kept, and twice as much at the most. This one is never touched, so it takes no memory.
 */
export function keepFreedMemory(): void {
  Buffer.allocUnsafeSlow(LARGEST)
}
