/**
 * The memory settings of Node and of the allocator. Without an end to its heap Node lets garbage pile up where memory is plenty,
 * and the allocator keeps what threads gave back. Flags that make the heap smaller still (`--optimize-for-size`, a semi-space
 * of 2 MB) halved the speed of JavaScript.
 */
export const serverMemory = {
  options: ['--max-old-space-size=384'],
  env: { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' },
}
