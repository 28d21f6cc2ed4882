// Loaded by a program before its own modules (`--import`): its time limits are those of tests about other things.

import { widenLimits } from './limits.ts'

widenLimits()
