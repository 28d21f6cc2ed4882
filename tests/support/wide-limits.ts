// Widens the time limits of a program. Node loads it before the program's own modules (`--import`).

import { widenLimits } from './limits.ts'

widenLimits()
