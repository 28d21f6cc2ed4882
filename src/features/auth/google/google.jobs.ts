import { z } from 'zod'
import { defineJob } from '#server/jobs/jobs.ts'

/** Has the picture of somebody whom Google knows become that of his account. */
export const takeGooglePicture = defineJob('google picture', z.object({ userId: z.int(), url: z.url() }))
