/**
 * Environment of the programs that tests start: only the path and the compile cache of the current one, and a small
 * heap, since several run at once.
 */
export const programEnv = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  NTALO_TEST_RUN: process.env.NTALO_TEST_RUN,
  NODE_OPTIONS: '--max-old-space-size=256',
}
