/**
 * Memory settings of Node and of the allocator. Without a limit of its heap, Node lets garbage accumulate when memory
 * is plenty, and the allocator does not return what threads have freed. With semi-spaces of 8 MB the server uses 330 MB
 * under `npm run bench -- soak`, with Node's default 500; a request costs 0.8 to 1.07 times the processor time.
 * `--optimize-for-size`, or semi-spaces of 2 MB, halved the speed of JavaScript.
 */
export const serverMemory = {
  options: ['--max-old-space-size=384', '--max-semi-space-size=8'],
  env: { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' },
}
