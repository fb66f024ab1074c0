/** The end of an Arrow IPC stream: a message of length 0. */
export const ARROW_END = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0)
