/** The environment of the programs that tests start: nothing of ours but what finds them, and what they compiled before. */
export const programEnv = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
}
