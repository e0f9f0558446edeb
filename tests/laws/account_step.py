# SPDX-License-Identifier: Apache-2.0
"""One step of a conversion, checked: a source, a result, and the account between."""
import collections
import json
import re
import sys

sys.setrecursionlimit(20000)    # documents are up to 512 deep

FATES = ("mapped", "kept", "carried", "omitted")


class Number(str):
    """A number by its text: 1.0 is not 1."""

    def __eq__(self, other):
        return isinstance(other, Number) and str(self) == str(other)

    __hash__ = str.__hash__


def load(text):
    return json.loads(text, parse_int=Number, parse_float=Number, parse_constant=Number)


def dump(value):
    if isinstance(value, dict):
        inner = ",".join(f"{json.dumps(k)}:{dump(v)}" for k, v in value.items())
        return "{" + inner + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(dump, value)) + "]"
    return str(value) if isinstance(value, Number) else json.dumps(value)


def same(a, b):
    """Numbers by text, strings by content; true is not 1, a number is not its text."""
    if isinstance(a, Number) != isinstance(b, Number) or type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def escape(name):
    return name.replace("~", "~0").replace("/", "~1")


def leaves(value, pointer=""):
    if isinstance(value, dict) and value:
        for name, member in value.items():
            yield from leaves(member, f"{pointer}/{escape(name)}")
    elif isinstance(value, list) and value:
        for index, element in enumerate(value):
            yield from leaves(element, f"{pointer}/{index}")
    else:
        yield pointer, value


MISSING = object()


def at(value, pointer):
    for step in pointer.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(step, MISSING)
        elif isinstance(value, list) and step.isdigit() and int(step) < len(value):
            value = value[int(step)]
        else:
            return MISSING
        if value is MISSING:
            return MISSING
    return value


def pattern(pointer):
    return re.sub(r"/\d+(?=/|$)", "/*", pointer)


def below(pointer, prefixes):
    return any(pointer == p or pointer.startswith(p + "/") for p in prefixes)


def is_emptied(site):
    """A site of a patch that takes away all that the result says of an empty container."""
    return isinstance(site, dict) and "at" in site and \
        site.keys() <= {"at", "absent", "gone", "members"}


def is_carry(value):
    return isinstance(value, dict) and {"format", "dialect", "made", "patch"} <= value.keys()


# ---- one step: a source, a result, and the account between ------------------------------

class Step:
    def __init__(self, account, source, result, back, opened, bare=False):
        self.bare = bare        # nothing is carried: the result alone gives back what is mapped
        self.account, self.source, self.result = account, source, result
        self.back = back        # what the result gives back without its carry, or None
        self.opened = opened    # the open place of the result, parsed, or None
        self.problems = []
        self.changes = collections.defaultdict(set)
        for change in account["changes"]:
            self.changes[change["place"]].update(change["from"])
        self.without_place = 0

    def say(self, text):
        self.problems.append(text)

    def carried_value(self, pointer):
        """Where a carry stands: in an extension, or in the open place, which may be a text."""
        value = at(self.result, pointer)
        if value is MISSING and self.opened is not None:
            for place, content in self.opened:
                if pointer.startswith(place + "/"):
                    return at(content, pointer[len(place):])
        return value

    def check_totals(self):
        totals, found = self.account["totals"], list(leaves(self.source))
        told = [leaf["pointer"] for leaf in self.account["leaves"]]
        if told != [pointer for pointer, _ in found]:
            lost = [p for p, _ in found if p not in set(told)][:3]
            self.say(f"the leaves told are not those of the source (missing: {lost})")
        counts = collections.Counter(leaf["fate"] for leaf in self.account["leaves"])
        if any(counts[fate] != totals[fate] for fate in FATES):
            self.say("totals are not the sums of the fates")
        if sum(totals[fate] for fate in FATES) != totals["leaves"]:
            self.say("totals do not add up to the leaves")
        if totals["leaves"] != len(found):
            self.say(f"{totals['leaves']} leaves are told, there are {len(found)}")
        if totals["made"] != len(self.account["made"]):
            self.say("the count of made leaves is wrong")

    def check_places(self, leaf, value):
        """Every place that is told exists; it shows the value or a stated change of it."""
        for place in [leaf["place"], *leaf.get("places", [])] if "place" in leaf else []:
            shown = at(self.result, place)
            if shown is MISSING:
                self.say(f"{leaf['pointer']}: nothing stands at its place {place}")
            elif not same(shown, value) and not self.is_stated(place, leaf["pointer"]):
                self.say(f"{leaf['pointer']}: {place} shows another value, and no change "
                         f"is stated")

    def is_stated(self, place, pointer):
        """A change of the leaf, or of something it stands in, at or below the place."""
        for stated, sources in self.changes.items():
            if (below(stated, [place]) or below(place, [stated])) and \
                    (pointer in sources or below(pointer, sources)):
                return True
        # a container that shows whole: its leaves are at the same steps below the place
        return False

    def check_carry(self, leaf, value):
        if "carry" not in leaf:
            self.say(f"{leaf['pointer']}: {leaf['fate']}, and no carry is told")
            return
        found = self.carried_value(leaf["carry"])
        if value in ([], {}) and is_emptied(found):
            return
        if found is MISSING or not same(found, value):
            self.say(f"{leaf['pointer']}: its carry {leaf['carry']} holds another value")

    def check_mapped(self, leaf, value):
        if "place" in leaf or self.back is None or below(leaf["pointer"], self.engines) or \
                self.bare:
            return
        self.without_place += 1
        if same(at(self.back, leaf["pointer"]), value):
            return
        if (pattern(leaf["pointer"]), dump(value)) in self.back_leaves or \
                self.is_copy(leaf["pointer"], value) or self.is_renamed(value):
            return
        self.say(f"{leaf['pointer']}: mapped without a place, and the result without its carry "
                 f"does not give it back")

    def check_bare(self):
        """Without a carry all that is mapped comes back, elements in their order."""
        told = [leaf for leaf in self.account["leaves"] if leaf["fate"] in ("kept", "carried")]
        if told:
            self.say(f"{told[0]['pointer']}: {told[0]['fate']}, where nothing is carried")
        mapped = {leaf["pointer"] for leaf in self.account["leaves"]
                  if leaf["fate"] == "mapped" and
                  not below(leaf["pointer"], [place for place, _ in open_places(self.source)])}
        if not self.gives(self.source, "", self.back, mapped):
            missing = [p for p, v in self.source_leaves
                       if p in mapped and not same(at(self.back, p), v)]
            self.say(f"of {missing[:4]}, called mapped, not all comes back without a carry")

    def gives(self, source, pointer, back, mapped):
        if isinstance(source, dict) and source:
            return all(self.gives(value, f"{pointer}/{escape(name)}",
                                  back.get(name, MISSING) if isinstance(back, dict)
                                  else MISSING, mapped)
                       for name, value in source.items())
        if isinstance(source, list) and source:
            rest = iter(back if isinstance(back, list) else [])
            return all(self.gives(value, f"{pointer}/{index}", MISSING, mapped) or
                       any(self.gives(value, f"{pointer}/{index}", other, mapped)
                           for other in rest)
                       for index, value in enumerate(source))
        return pointer not in mapped or (back is not MISSING and same(source, back))

    def is_copy(self, pointer, value):
        """A repeated part: the patch says what it repeats, and its original has a fate."""
        return self.copies and any(same(v, value) and p != pointer
                                   for p, v in self.source_leaves)

    def is_renamed(self, value):
        """An id, or a reference to one, that the open place keeps beside the made one."""
        return any(same(name, value) for _, content in self.opened or []
                   for name in (content.get("ids") or {}).values())

    def is_said_elsewhere(self, pointer, value):
        omitted = {leaf["pointer"] for leaf in self.account["leaves"]
                   if leaf.get("reason") == "sensitive"}
        return any(isinstance(v, str) and value in v and p not in omitted
                   for p, v in self.source_leaves)

    def holds_open_place_only(self, pointer, shown):
        return isinstance(shown, dict) and all(
            any(place == f"{pointer}/{escape(name)}" for place, _ in self.opened or [])
            for name in shown)

    def check_omitted(self, leaf, value):
        if "reason" not in leaf:
            self.say(f"{leaf['pointer']}: omitted without a reason")
        elif leaf["reason"] == "sensitive" and isinstance(value, str) and len(value) > 7 and \
                json.dumps(value)[1:-1] in self.result_text and \
                not self.is_said_elsewhere(leaf["pointer"], value):
            self.say(f"{leaf['pointer']}: omitted as sensitive, and shows in the result")

    def check_leaf(self, leaf, value):
        shown = at(self.result, leaf["place"]) if "place" in leaf else MISSING
        whole = isinstance(shown, (dict, list)) and shown != value
        if whole and not value and self.holds_open_place_only(leaf["place"], shown):
            pass        # it was empty, and what is new in it is told by itself
        elif whole:     # the place of what it stands in
            if not any(same(v, value) for _, v in leaves(shown)) and \
                    not self.is_stated(leaf["place"], leaf["pointer"]):
                self.say(f"{leaf['pointer']}: {leaf['place']} does not hold it")
        else:
            self.check_places(leaf, value)
        if leaf["fate"] in ("kept", "carried"):
            self.check_carry(leaf, value)
        elif leaf["fate"] == "mapped":
            self.check_mapped(leaf, value)
        else:
            self.check_omitted(leaf, value)

    def check_origins(self, made_whole):
        """Nothing in the result lacks an origin."""
        told = {leaf["pointer"] for leaf in self.account["made"]} | set(self.changes)
        holders = set()
        for leaf in self.account["leaves"]:
            for place in [leaf.get("place"), *leaf.get("places", [])]:
                if place is not None:
                    told.add(place)
                    if isinstance(at(self.result, place), (dict, list)):
                        holders.add(place)
        for pointer, _ in leaves(self.result):
            if pointer not in told and not below(pointer, made_whole) and \
                    not below(pointer, holders):
                self.say(f"{pointer} of the result has no origin")
        for leaf in self.account["made"]:
            if at(self.result, leaf["pointer"]) is MISSING:
                self.say(f"{leaf['pointer']} is said to be made, and is not there")
        for change in self.account["changes"]:
            if at(self.result, change["place"]) is MISSING:
                self.say(f"{change['place']} is said to be changed, and is not there")
            for pointer in change["from"]:
                if at(self.source, pointer) is MISSING:
                    self.say(f"{change['place']} is said to come from {pointer}: not there")

    def find_engines(self):
        """What the converter made when it read a model: it makes them again."""
        parts = engine_parts(self.source, None)
        if len(parts) < 2:
            return []
        parts += ["/id", "/created_at"]
        for index, resource in enumerate(self.source.get("resources") or []):
            if resource.get("id") == "source":
                parts.append(f"/resources/{index}")
        return parts

    def check_route(self):
        """The account of two steps: what is made and changed is told by those of each."""
        self.source_leaves = list(leaves(self.source))
        self.check_totals()
        self.check_bare()
        return self.problems

    def check(self, made_whole):
        self.engines = self.find_engines()
        self.result_text = dump(self.result)
        self.source_leaves = list(leaves(self.source))
        self.copies = '"copy":' in self.result_text or '\\"copy\\":' in self.result_text
        self.back_leaves = {(pattern(p), dump(v)) for p, v in leaves(self.back)} \
            if self.back is not None else set()
        self.check_totals()
        for leaf in self.account["leaves"]:
            value = at(self.source, leaf["pointer"])
            if value is MISSING:
                self.say(f"{leaf['pointer']} is told and not there")
            else:
                self.check_leaf(leaf, value)
        if self.bare:
            self.check_bare()
        self.check_origins(made_whole)
        return self.problems


# ---- carries and open places -------------------------------------------------------------

def engine_parts(model, source_of_step):
    """Pointers of a model that are the converter's own: derivation and carry."""
    parts = ["/derivation"] if "derivation" not in (source_of_step or {}) else []
    for key, value in (model.get("extensions") or {}).items():
        if is_carry(value):
            parts.append("/extensions/" + escape(key))
    return parts


def open_places(document):
    """(pointer, content) of what a document keeps of a model in its open place."""
    places = []
    stash = document.get("opencheckpoint")
    if isinstance(stash, dict) and "seal" in stash:
        places.append(("/opencheckpoint", stash))
    profile = document.get("runtime_profile")
    text = profile.get("opencheckpoint") if isinstance(profile, dict) else None
    if isinstance(text, str) and not isinstance(text, Number):
        try:
            content = load(text)
        except ValueError:
            content = None
        if isinstance(content, dict) and "seal" in content:
            places.append(("/runtime_profile/opencheckpoint", content))
    return places


def without_carry(model):
    """The model with an empty patch: what it gives back is what it says itself."""
    model = load(dump(model))
    for value in (model.get("extensions") or {}).values():
        if is_carry(value):
            value["patch"] = []
    return model


def without_open_place(document):
    document = load(dump(document))
    for place, _ in open_places(document):
        steps = place.split("/")[1:]
        holder = document if len(steps) == 1 else document[steps[0]]
        del holder[steps[-1]]
    return document
