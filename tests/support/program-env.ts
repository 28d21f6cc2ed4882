/**
 * The environment of the programs that tests start: nothing of ours but what finds them and what they compiled before, and a
 * small heap, since several run at once.
 */
export const programEnv = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  NTALO_TEST_RUN: process.env.NTALO_TEST_RUN,
  NODE_OPTIONS: '--max-old-space-size=256',
}
