/** Prints a line about the output, not of it, on standard error. */
export const note = (text: string) => process.stderr.write(`note: ${text}\n`)

export const SYNTHETIC = 'all data of this lake are synthetic'
