# SPDX-License-Identifier: Apache-2.0
# A plain specrail checkpoint -> OpenCheckpoint; what has no place stays under an extension.
# Runs on jq 1.6 and gojq.
def entries(f): (f // []) | to_entries[] | .value + {n: (.key + 1)};
def texts(f): (f // []) | to_entries[] | {n: (.key + 1), text: .value};
def finished: . == "merged" or . == "closed" or . == "complete";
{planning: "active", running: "active", blocked: "blocked", handoff: "paused",
 complete: "completed"} as $status
| .repo as $repo
| {
  opencheckpoint: "0.1",
  created_at: .spec_coverage.checked_at,
  source: {producer: {name: "specrail"},
           session_refs: [{protocol: "local.specrail", id: .tranche_id}]},
  task: {
    title: .tranche_id, objective: .scope, status: ($status[.status] // "paused"),
    success_criteria: [texts(.goal_candidate.done_when)
                       | {id: "done-\(.n)", description: .text, state: "unknown"}],
    scope: {includes: [.scope]}
  },
  progress: {
    completed: [entries(.items) | select(.state | finished)
                | {id: "item-\(.n)", description: "\(.state): \(.next_action)"}],
    next: ([entries(.items) | select(.state | finished | not)
            | {id: "item-\(.n)", description: .next_action}]
           + [entries(.remaining_queue) | {id: "queue-\(.n)", description: .next_action}])
  },
  statements: (
    [texts(.goal_candidate.constraints)
     | {id: "constraint-\(.n)", kind: "constraint", text,
        origin: {type: "agent", name: "specrail"}}]
    + [entries(.items) | select(.blocker)
       | {id: "blocker-\(.n)", kind: "observation", text: .blocker,
          origin: {type: "agent", name: "specrail"},
          verification: {state: "unverified", revalidate: "before_action"}}]
    + [entries(.items) | .n as $i | texts(.local_verification)
       | {id: "local-\($i)-\(.n)", kind: "observation", text, origin: {type: "tool"},
          verification: {state: "unverified", revalidate: "before_use"}}]),
  resources: (
    [{id: "repo", kind: "repository",
      locator: {system: "github", type: "repository", key: .repo}}]
    + [.items[] | select(.pr)
       | {id: "pr-\(.pr)-\(.head_sha)", kind: "record",
          locator: {system: "github", type: "pull_request", key: "\($repo)#\(.pr)"},
          revision: .head_sha}]),
  continuation: {
    stop_conditions: [{id: "stop-blocked", description: .goal_candidate.blocked_stop_condition}],
    recovery: [{id: "resume", description: .resume_prompt}]
  },
  derivation: {method: "converted",
               inputs: [{session: {protocol: "local.specrail", id: .tranche_id}}]},
  extensions: {"org.example/rest": {
    context_budget, output_firewall, queue_mode, spec_coverage, goal,
    items: [.items[] | {spec_status, spec_status_reason, ci, review, review_threads, pr_gate,
                        truth_level, merge_state, branch, worktree}]
  }}
}
