// What of the conformance suite does not fit a product, and why. All else has to pass.

const fixtures = 'it calls tools, prompts or resources that only a test server has'
const unserved = 'prompts, resources, completion and logging are not served, and not announced'
const asking = 'it needs a tool that asks the client back (sampling, elicitation, roots), and no tool here does'
const tasks = 'tasks are an extension that is not served: every call is answered at once'

/** scenarios are left out whole. */
export const scenarios = {
  'tools-call-simple-text': fixtures,
  'tools-call-image': fixtures,
  'tools-call-audio': fixtures,
  'tools-call-embedded-resource': fixtures,
  'tools-call-mixed-content': fixtures,
  'tools-call-with-logging': fixtures,
  'tools-call-error': fixtures,
  'tools-call-with-progress': fixtures,
  'json-schema-2020-12': fixtures,
  'logging-set-level': unserved,
  'completion-complete': unserved,
  'resources-list': unserved,
  'resources-read-text': unserved,
  'resources-read-binary': unserved,
  'resources-templates-read': unserved,
  'resources-subscribe': unserved,
  'resources-unsubscribe': unserved,
  'prompts-list': unserved,
  'prompts-get-simple': unserved,
  'prompts-get-with-args': unserved,
  'prompts-get-embedded-resource': unserved,
  'prompts-get-with-image': unserved,
  'tools-call-sampling': asking,
  'tools-call-elicitation': asking,
  'elicitation-sep1034-defaults': asking,
  'elicitation-sep1330-enums': asking,
  'input-required-result-basic-elicitation': asking,
  'input-required-result-basic-sampling': asking,
  'input-required-result-basic-list-roots': asking,
  'input-required-result-request-state': asking,
  'input-required-result-multiple-input-requests': asking,
  'input-required-result-multi-round': asking,
  'input-required-result-non-tool-request': asking,
  'input-required-result-result-type': asking,
  'input-required-result-tampered-state': asking,
  'input-required-result-capability-check': asking,
  'http-custom-header-server-validation': 'it needs a tool with x-mcp-header in its schema, and no tool here has one',
  'tasks-lifecycle': tasks,
  'tasks-capability-negotiation': tasks,
  'tasks-wire-fields': tasks,
  'tasks-request-state-removal': tasks,
  'tasks-mrtr-input': tasks,
  'tasks-request-headers': tasks,
  'tasks-dispatch-and-envelope': tasks,
  'tasks-required-task-error': tasks,
  'tasks-mrtr-composition': tasks
}

/** checks are left out of scenarios that are run. */
export const checks = {
  'sep-2575-server-rejects-undeclared-capability': asking,
  'sep-2575-missing-capability-http-400': asking,
  'sep-2575-http-server-no-independent-requests-on-stream': asking,
  'sep-2575-server-no-log-without-loglevel': fixtures,
  'sep-2549-prompts-list-caching-hints': unserved,
  'sep-2549-resources-list-caching-hints': unserved,
  'sep-2549-resources-templates-list-caching-hints': unserved
}
