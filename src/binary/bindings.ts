import { openNative } from './open-native.ts'

/** Takes the place of `@duckdb/node-bindings`, whose loader searches for packages, in the single binary. */
export default openNative()
