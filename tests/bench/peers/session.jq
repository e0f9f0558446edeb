# SPDX-License-Identifier: Apache-2.0
# A plain SessionCheckpoint 2 -> OpenCheckpoint: one reader's messages, memories and turns;
# what has no place stays under an extension. Runs on jq 1.6 and gojq.
.working_memory[0].agent_id as $entry
| {
  opencheckpoint: "0.1",
  created_at: .lineage.created_at,
  source: {
    producer: {name: "mas-lab"},
    agent: .manifest.content.metadata,
    session_refs: [{protocol: "com.cisco.outshift/mas-lab", id: .lineage.session_id}]
  },
  task: {title: .label, status: "awaiting_input"},
  progress: {completed: [
    .working_memory | to_entries[] | .key as $w | .value.turn_history | to_entries[]
    | {id: "turn-\($w + 1)-\(.key + 1)", description: .value[0][:300]}]},
  statements: ([
    .working_memory | to_entries[] | .key as $w | .value.agent_id as $agent
    | (.value.committed_messages
       | map(.tool_calls // [] | map({key: .id, value: .function.name})) | add | from_entries) as $calls
    | .value.committed_messages | to_entries[]
    | .value as $m
    | {
        id: "msg-\($w + 1)-c\(.key + 1)",
        kind: (if $m.role == "assistant" then "observation"
               elif $m.role == "user" and $agent == $entry then "instruction"
               else "external" end),
        text: $m.content,
        origin: (if $m.role == "assistant" then {type: "agent", name: $agent}
                 elif $m.role == "tool" then {type: "tool", name: $calls[$m.tool_call_id]}
                 elif $agent == $entry then {type: "user"}
                 else {type: "agent"} end + {ref: "agent-\($w + 1)"})
      }
    | if $m.role == "assistant" then . + {verification: {state: "unverified"}} else . end]
    + [.memory_seeds | to_entries[]
       | {id: "seed-\(.key + 1)", kind: "external", text: .value.content,
          origin: {type: "application", name: "memory"}}]),
  resources: (
    [.working_memory | to_entries[]
     | {id: "agent-\(.key + 1)", kind: "other",
        locator: {system: "mas-lab", type: "working-memory", key: .value.agent_id}}]
    + [.related | to_entries[]
       | {id: "related-\(.key + 1)", kind: "artifact",
          locator: {system: .value.plugin, type: .value.adapter, key: .value.locator},
          revision: .value.fingerprint, availability: "unknown"}]),
  derivation: {
    method: "converted",
    inputs: [{session: {protocol: "com.cisco.outshift/mas-lab", id: .lineage.session_id}}]
  },
  extensions: {"org.example/rest": {
    version, turn, backtrack_count, spec_revision, kernel, manifest, runtime_profile,
    working_memory: [.working_memory[] | {
      conversation_chunks, open_tool_call_id, synced_tool_result_cids, working_messages,
      committed_messages: [.committed_messages[] | del(.content)]}]
  }}
}
