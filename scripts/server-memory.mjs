/**
 * What Node and the allocator are told of memory: a cheap machine runs the server for months. By itself Node lets rubbish
 * pile up where memory is plenty, and the allocator keeps what threads gave back: 190 MB are enough where 600 were held,
 * which `npm run bench -- soak` measures.
 */
export const serverMemory = {
  options: ['--max-semi-space-size=2', '--max-old-space-size=384', '--optimize-for-size'],
  env: { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' },
}
