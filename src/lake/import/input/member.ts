/** A member of an archive. */
export interface Member {
  /** Its path in the archive. */
  readonly name: string
  /** Whether it is a file, and not a folder or a link. */
  readonly isFile: boolean
  /** Whether the other members can be read if this one is damaged. */
  readonly isApart: boolean
  /** Why its content cannot be read, with the next step. */
  readonly fault: string | undefined
  /** Its content, once. Throws an Error with the reason if it is damaged. */
  bytes(): AsyncIterable<Uint8Array>
}
