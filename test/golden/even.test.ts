import { operations } from '../../src/operations/index.ts'
import { goldenTests } from './golden-tests.ts'

goldenTests(operations.filter((_, index) => index % 2 === 0))
