import { mutationTests } from './mutation-tests.ts'

mutationTests(0)
