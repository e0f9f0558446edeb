#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the bench's documents and logs, the same bytes for the same seed.

    generate.py specrail FILE BYTES [SEED]   a specrail checkpoint of about BYTES
    generate.py small DIR COUNT              COUNT specrail checkpoints of 2 to 8 kB
    generate.py session FILE BYTES [SEED]    SessionCheckpoint 2, indented as its store does
    generate.py yaml IN OUT                  the same document as PyYAML dumps it
    generate.py log FILE BYTES PULSES        CAOP pulses in the noise of a log
"""
import hashlib
import json
import os
import random
import sys

WORDS = (
    "the agent read repository file state review gate branch merge tests failed passed lease "
    "nonce verify receipt commitment goal plan context budget window token soft stop resume "
    "prompt queue tranche issue pull request head sha evidence log artifact worker reviewer "
    "thread schema validate migrate retry handler parser config timeout cache index node edge "
    "policy approval hash session lineage kernel memory turn message chunk tool call result "
    "error warning deploy staging production rollback database table column query lock await"
).split()
UNICODE = ["café", "naïve", "Zürich", "進捗", "検証済み", "проверка", "✓", "→", "🚀", "“quoted”", "—"]


def sentence(r, count):
    words = [r.choice(WORDS) for _ in range(count)]
    if r.random() < 0.10:
        words[r.randrange(count)] = r.choice(UNICODE)
    if r.random() < 0.06:
        words[r.randrange(count)] = '"%s"' % r.choice(WORDS)
    return " ".join(words).capitalize() + "."


def paragraph(r, low, high):
    out, size, want = [], 0, r.randint(low, high)
    while size < want:
        k = r.random()
        if k < 0.72:
            s = sentence(r, r.randint(6, 18))
        elif k < 0.84:
            s = "- " + sentence(r, r.randint(4, 10))
        elif k < 0.93:
            s = '```c\nif (%s->%s != NULL) {\n\treturn %s("%s", %d);\n}\n```' % (
                r.choice(WORDS), r.choice(WORDS), r.choice(WORDS), r.choice(WORDS),
                r.randrange(9999))
        else:
            s = "path C:\\work\\%s\\%s.txt at src/%s/%s.c:%d" % (
                r.choice(WORDS), r.choice(WORDS), r.choice(WORDS), r.choice(WORDS),
                r.randrange(2000))
        out.append(s)
        size += len(s) + 1
    return "".join(s + ("\n" if r.random() < 0.4 else " ") for s in out).strip()


def hexes(r, count):
    return "%0*x" % (count, r.getrandbits(4 * count))


def time(r):
    return "2026-%02d-%02dT%02d:%02d:%02dZ" % (
        r.randint(1, 12), r.randint(1, 28), r.randint(0, 23), r.randint(0, 59), r.randint(0, 59))


# ---- specrail ---------------------------------------------------------------------------


def specrail_item(r, k):
    pr = r.randint(100, 900)
    state = r.choice(["running", "waiting_ci", "blocked", "closed", "open", "needs_review"])
    head = hexes(r, 40)
    return {
        "issue": r.choice([None, r.randint(1, 900)]),
        "pr": pr,
        "state": state,
        "spec_status": r.choice(["complete", "needs_tasks", "needs_spec", None]),
        "spec_status_reason": r.choice([None, sentence(r, 6)]),
        "branch": "work/gh%d-%s-%s" % (pr, r.choice(WORDS), r.choice(WORDS)),
        "worktree": "/home/dev/worktrees/%s-%d" % (r.choice(WORDS), pr),
        "head_sha": head,
        "truth_level": r.choice(["A", "B", "C", "D", None]),
        "ci": {"status": "success", "head_sha": head, "run_id": r.randrange(10**9),
               "evidence": "https://ci.example.com/runs/%d" % r.randrange(10**9)},
        "local_verification": ["pytest -q tests/test_%s.py" % r.choice(WORDS), sentence(r, 5)],
        "review": {"status": "approved", "reviewer_lane": "reviewer-lane-%d" % k},
        "review_threads": {"status": "resolved", "unresolved_count": 0},
        "pr_gate": None,
        "blocker": sentence(r, 9) if state == "blocked" else None,
        "next_action": sentence(r, r.randint(6, 14)),
        "merge_state": r.choice(["clean", "dirty", None]),
    }


def specrail(r, number, want):
    d = {
        "checkpoint_version": 1,
        "tranche_id": "2026-07-%02d-t%05d" % (r.randint(1, 28), number),
        "repo": "acme/%s-%s" % (r.choice(WORDS), r.choice(WORDS)),
        "scope": sentence(r, 12),
        "status": "running",
        "overall_objective": sentence(r, 14),
        "queue_mode": "bounded_tranche",
        "goal": {"enabled": True, "objective": sentence(r, 10), "status": "active",
                 "tokens_used": r.randrange(200000), "token_budget": 400000},
        "goal_candidate": {"objective": sentence(r, 8),
                           "done_when": [sentence(r, 7) for _ in range(2)],
                           "constraints": [sentence(r, 6)],
                           "blocked_stop_condition": sentence(r, 8)},
        "spec_coverage": {"checked_at": time(r),
                          "complete": [r.randint(1, 900) for _ in range(r.randint(0, 4))],
                          "needs_tasks": [], "needs_spec": [r.randint(1, 900)],
                          "umbrella_covered": [], "exception_allowed": []},
        "context_budget": {"window_tokens": 200000, "soft_stop_ratio": 0.5,
                           "hard_stop_ratio": 0.65, "critical_stop_ratio": 0.75},
        "output_firewall": {"raw_log_policy": "file_only", "max_parent_stdout_lines": 150,
                            "max_subagent_final_lines": 150,
                            "artifact_root": "artifacts/logs/%s" % hexes(r, 8)},
        "items": [specrail_item(r, 0)],
        "remaining_queue": [{"issue": 901 + r.randrange(99), "pr": None, "state": "eligible_impl",
                             "spec_status": "needs_tasks", "spec_status_reason": None,
                             "blocker": None, "next_action": sentence(r, 8)}],
        "resume_prompt": paragraph(r, 80, 400),
    }
    size = len(json.dumps(d, indent=2, ensure_ascii=False).encode())
    while size < want - 600:
        d["items"].append(specrail_item(r, len(d["items"])))
        size += len(json.dumps(d["items"][-1], indent=6, ensure_ascii=False).encode())
    return d


def write_specrail(path, number, want, seed):
    r = random.Random(seed)
    with open(path, "w", encoding="utf-8") as f:
        f.write(json.dumps(specrail(r, number, want), indent=2, ensure_ascii=False) + "\n")


# ---- SessionCheckpoint --------------------------------------------------------------------


def message(r, role):
    m = {"role": role, "content": paragraph(r, 80, 2400 if role == "tool" else 900)}
    if r.random() < 0.5:
        m["usage"] = {"input_tokens": r.randrange(90000), "output_tokens": r.randrange(4000),
                      "latency_s": round(r.random() * 30, 3), "cached": r.random() < 0.5}
    return m


def exchange(r):
    """A question, a call, its result, an answer."""
    call = "call_" + hexes(r, 16)
    ask = message(r, "user")
    calls = message(r, "assistant")
    calls["tool_calls"] = [{"id": call, "type": "function", "function": {
        "name": r.choice(WORDS),
        "arguments": json.dumps({"path": "src/%s.c" % r.choice(WORDS),
                                 "limit": r.randrange(500)})}}]
    result = message(r, "tool")
    result["tool_call_id"] = call
    return [ask, calls, result, message(r, "assistant")]


def agent(r, number, scale, pool):
    """scale: messages. From a pool, so that 100 MB do not take minutes to make."""
    messages = []
    for _ in range(max(1, scale // 4)):
        messages += r.choice(pool)
    turns = [[m["content"], a["content"]]
             for m, a in list(zip(messages[0::4], messages[3::4]))[:max(1, scale // 12)]]
    return {
        "agent_id": "agent-%05d" % number,
        "turn_history": turns,
        "committed_messages": messages,
        "conversation_chunks": None,
        "working_messages": [],
        "open_tool_call_id": "",
        "synced_tool_result_cids": sorted(r.sample(range(100000), max(1, scale // 4))),
    }


def session_head(r):
    content = {"apiVersion": "mas/v1", "kind": "Agent",
               "metadata": {"name": "agent-00000", "version": "1.4.0"},
               "spec": {"description": sentence(r, 10),
                        "models": [{"model": "example/example-large"}],
                        "tools": [{"name": r.choice(WORDS)} for _ in range(12)]}}
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"))
    session = "sess-" + hexes(r, 16)
    return {
        "version": 2, "label": "turn-%04d" % r.randrange(9999), "turn": r.randrange(400),
        "backtrack_count": r.randrange(9), "spec_revision": r.randrange(30),
        "related": [{"plugin": r.choice(WORDS), "fingerprint": hexes(r, 64),
                     "locator": "vault://" + hexes(r, 12), "adapter": r.choice(WORDS)}
                    for _ in range(3)],
        "lineage": {"session_id": session, "parent_session_id": None,
                    "forked_from_checkpoint": None, "root_session_id": session,
                    "created_at": time(r)},
        "kernel": {"q": {"ctrl": "RUNNING", "dp": "IDLE", "model": "IDLE", "tool": "IDLE",
                         "ctx": "IDLE", "memory": "IDLE", "session": "IDLE",
                         "transport": "IDLE", "scheduled_egress": "NONE",
                         "inflight_kind": "NONE", "gov_state": "IDLE"},
                   "run": {"events": [{"correlation_id": i, "response_kind": "MODEL_TEXT",
                                       "next_step": "STOP", "ms": r.random() * 100}
                                      for i in range(40)]}},
        "manifest": {"content": content,
                     "content_hash": hashlib.sha256(canonical.encode()).hexdigest()},
        "memory_seeds": [{"key": r.choice(WORDS) + "-%d" % i, "content": paragraph(r, 40, 200)}
                         for i in range(10)],
        "runtime_profile": {"design_pattern": "react",
                            "gov": {"profile": "default", "limits": [1, 2.5, 1e6]}},
    }


def write_session(path, want, seed):
    r = random.Random(seed)
    head = json.dumps(session_head(r), indent=2)
    pool = [exchange(r) for _ in range(400)]
    scale = 12 if want < 10_000_000 else 60
    with open(path, "w", encoding="utf-8") as f:
        f.write(head[:-2] + ',\n  "working_memory": [')
        number = 0
        while number == 0 or f.tell() < want - 8000 * scale // 12:
            text = json.dumps(agent(r, number, scale, pool), indent=2)
            f.write((",\n    " if number else "\n    ") + text.replace("\n", "\n    "))
            number += 1
        f.write("\n  ]\n}")


def write_yaml(source, path):
    import yaml
    with open(source, encoding="utf-8") as f:
        document = json.load(f)
    with open(path, "w", encoding="utf-8") as f:
        yaml.dump(document, f, Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper),
                  sort_keys=False, allow_unicode=True)


# ---- logs -----------------------------------------------------------------------------------


def pulse(r):
    def work():
        return "work-" + hexes(r, 10)
    return {
        "pulse_timestamp": time(r), "workspace_stage_profile": "CAOP-STAGE-%d" % r.randint(1, 3),
        "resume_brief": {
            "unsettled_leases": [
                {"work_id": work(), "invocation_id": "inv-" + hexes(r, 10),
                 "sub_state": r.choice(["EXECUTE_DISPATCHED", "EXECUTE_EXPIRED"]),
                 "required_nonce": hexes(r, 24), "lease_expires_at": time(r)}
                for _ in range(r.randint(0, 3))],
            "stale_commitments": [
                {"work_id": work(), "fact_id": "fact-" + hexes(r, 8), "title": sentence(r, 6),
                 "epistemic_status": "VERIFIED_FACT", "freshness": "STALE_UPSTREAM_PREMISE",
                 "invalidated_by_fact_id": "fact-" + hexes(r, 8), "summary": sentence(r, 14)}
                for _ in range(r.randint(0, 3))],
            "unassigned_blockers": [
                {"work_id": work(), "title": sentence(r, 5),
                 "missing_hook": "REQUIRE_EXPLICIT_OWNER"} for _ in range(r.randint(0, 2))],
            "ranked_next_actions": [
                {"rank": i + 1, "work_id": work(), "action_type": "SETTLE_LEASE",
                 "blocking_dependents_count": r.randint(0, 9),
                 "recommended_prompt": sentence(r, 12)} for i in range(r.randint(1, 5))],
            "system_advisories": [],
        },
        "capability_stubs": [{"capability_id": "cap." + r.choice(WORDS), "summary": sentence(r, 7)}
                             for _ in range(r.randint(1, 5))],
        "outcome_verifications": [],
    }


def noise_line(r):
    parts = ["kernel", "gateway", "worker", "vault", "scheduler", "mcp.server", "http"]
    k = r.random()
    if k < 0.55:
        return "%s [%s] req=%s %s" % (r.choice(["INFO", "DEBUG", "WARN", "ERROR"]),
                                      r.choice(parts), hexes(r, 8), sentence(r, r.randint(5, 20)))
    if k < 0.80:
        return json.dumps({"level": r.choice(["info", "debug", "warn"]), "logger": r.choice(parts),
                           "msg": sentence(r, r.randint(4, 12)),
                           "dur_ms": round(r.random() * 900, 2),
                           "ctx": {"req": hexes(r, 8), "user": r.choice(WORDS)}},
                          ensure_ascii=False)
    if k < 0.90:
        return 'DEBUG [%s] map={%s=%d, %s=[%d]} {not json} "%s"' % (
            r.choice(parts), r.choice(WORDS), r.randrange(99), r.choice(WORDS), r.randrange(9),
            r.choice(WORDS))
    if k < 0.96:
        return "    at %s.%s (src/%s.ts:%d:%d)" % (r.choice(WORDS), r.choice(WORDS),
                                                   r.choice(WORDS), r.randrange(900),
                                                   r.randrange(90))
    return "INFO [gateway] POST /mcp tools/call name=caop_pulse id=%d bytes=%d status=200" % (
        r.randrange(9999), r.randrange(9999))


def pulse_lines(r, number, base):
    text = json.dumps(pulse(r), separators=(",", ":"))
    k = number % 20
    if k < 12:
        return base + "500Z INFO [kernel] caop_pulse -> " + text + "\n"
    if k < 17:
        return ('{"ts":"%s500Z","level":"info","logger":"kernel","event":"caop_pulse.response",'
                '"result":%s}\n' % (base, text))
    if k < 19:
        return json.dumps({"jsonrpc": "2.0", "id": number, "result": {
            "content": [{"type": "text", "text": text}], "isError": False}}) + "\n"
    return base + "500Z INFO [kernel] caop_pulse response:\n" + json.dumps(
        json.loads(text), indent=2) + "\n"


def write_log(path, want, pulses):
    r = random.Random(777)
    pool = [noise_line(r) for _ in range(6000)]
    seconds = 0
    with open(path, "w", encoding="utf-8", newline="\n") as f:
        for number in range(pulses):
            out, size = [], 0
            base = ""
            while size < want // pulses - 2600 or not base:
                base = "2026-07-%02dT%02d:%02d:%02d." % (
                    1 + seconds // 86400 % 28, seconds // 3600 % 24, seconds // 60 % 60,
                    seconds % 60)
                seconds += 1
                for _ in range(12):
                    out.append(base + "%03dZ %s\n" % (r.randrange(1000), r.choice(pool)))
                    size += len(out[-1])
            if number % 10 == 3:  # a mention, and no pulse
                out.append(base + '000Z WARN [kernel] schema lacks "pulse_timestamp" in %s\n'
                           % hexes(r, 8))
            if number % 25 == 7:  # one that was cut
                text = json.dumps(pulse(r), separators=(",", ":"))
                out.append(base + "001Z DEBUG caop_pulse -> " + text[:len(text) // 2] + "...\n")
            out.append(pulse_lines(r, number, base))
            f.write("".join(out))


def main(arguments):
    command, *rest = arguments
    if command == "specrail":
        write_specrail(rest[0], 1, int(rest[1]), int(rest[2]) if len(rest) > 2 else 1)
    elif command == "small":
        os.makedirs(rest[0], exist_ok=True)
        for i in range(int(rest[1])):
            write_specrail("%s/cp-%05d.json" % (rest[0], i), i,
                           2000 + (i * 7919) % 6000, i * 7919 + 1)
    elif command == "session":
        write_session(rest[0], int(rest[1]), int(rest[2]) if len(rest) > 2 else 20261130)
    elif command == "yaml":
        write_yaml(rest[0], rest[1])
    elif command == "log":
        write_log(rest[0], int(rest[1]), int(rest[2]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:] or ["help"])
