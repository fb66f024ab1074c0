import { setFlagsFromString } from 'node:v8'

const GROWTH_PERCENT = 40

/**
 * Limits how much the heap of this process grows between two markings. V8 takes up to four times what is in use if many objects were made
 * before the last marking, as at the start of a worker, which then did not mark its heap again for minutes. It reads the
 * setting at the end of each marking, so that it may change while the process runs. No option in `NODE_OPTIONS` does the same.
 */
export const limitHeapGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
