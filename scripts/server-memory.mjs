/**
 * The memory settings of Node and of the allocator. Without an end to its heap Node lets garbage pile up where memory is plenty,
 * and the allocator keeps what threads gave back. With semi-spaces of 8 MB the server holds 330 MB under `npm run bench --
 * soak`, with Node's own 500; a request costs 0.8 to 1.07 times the processor. `--optimize-for-size`, or semi-spaces of 2 MB,
 * halved the speed of JavaScript.
 */
export const serverMemory = {
  options: ['--max-old-space-size=384', '--max-semi-space-size=8'],
  env: { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' },
}
