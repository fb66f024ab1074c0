import { analyticsWindow } from './analytics-window.ts'
import { contractVolumeProfile } from './contract-volume-profile.ts'
import type { Operation } from './operation.ts'

/** All operations of the API, in the specification's order. */
export const operations: readonly Operation[] = [contractVolumeProfile, analyticsWindow]
