import { z } from 'zod'
import { defineJob } from '#server/jobs/jobs.ts'

/** Copies the picture of a Google account to the user's account. */
export const takeGooglePicture = defineJob('google picture', z.object({ userId: z.int(), url: z.url() }))
