"""What is left out of the log does not reach the disk; what stays is enough to verify, search and replay."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mage_ml.errors import ConfigError
from mage_ml.memory import MemoryEntry, PendingAction
from mage_ml.risk import RiskAxis
from mage_ml.runtime.audit import AuditLog, AuditQuery, verify
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guardrail import GuardrailEngine, load_policy
from mage_ml.runtime.redaction import AuditSettings, ContentMode, PatternName, Redactor, create_redactor
from mage_ml.runtime.replay import replay
from mage_ml.testing import FixedEvaluator

GRAVE = {RiskAxis.SAFETY: 0.95}
LETTERS = st.text("bcdfghjklmnpqrstvwxz", min_size=8, max_size=14)
DIGITS = st.text("0123456789", min_size=9, max_size=9)


def policy_with(**audit):
    return load_policy().model_copy(update={"audit": AuditSettings(**audit)})


def recorded_bytes(folder, policy, entries, action, goal):
    """Judge an action against real files, and read everything that is on disk while the log is still open."""
    with AuditLog(folder / "a.sqlite", durable=False) as log:
        evaluator = FixedEvaluator(GRAVE, entry_ids=tuple(entry.id for entry in entries))
        guard = MageGuard(GuardrailEngine(evaluator, policy), goal=goal, audit=log)
        for entry in entries:
            guard.observe(entry)
        decision = guard.check(action)
        raw = b"".join(path.read_bytes() for path in folder.iterdir())
        assert verify(log).is_whole
        assert log.count(AuditQuery(entry_id=entries[0].id)) == 1
        report = replay(log.records(), policy)
        assert (report.changed_count, report.unknown_count) == (0, 0)
    assert not decision.allowed
    assert decision.decision_id.encode() in raw
    return raw


def pieces(secret):
    """Every part of a secret of eight characters or more, in each encoding that a file could hold."""
    parts = {secret[start : start + 8] for start in range(max(1, len(secret) - 7))}
    return {part.encode(encoding) for part in parts for encoding in ("utf-8", "utf-16-le")}


@settings(max_examples=12, deadline=None)
@given(secret=LETTERS, number=DIGITS, where=st.sampled_from(["text", "json", "nested", "argument", "goal", "origin"]))
def test_hashed_no_part_of_any_content_reaches_the_disk(tmp_path_factory, secret, number, where):
    long = f"{secret} {number}"
    entries = [
        MemoryEntry(id="e0", content="Nothing to see.", source="user"),
        MemoryEntry(
            id="e1",
            content={"text": long, "json": {secret: int("1" + number)}, "nested": {"a": [{"b": long}]}}.get(
                where, long
            ),
            source="tool",
            tool_name="query_sales",
            origin=long if where == "origin" else None,
            annotations=(long,),
            depends_on=("e0",),
        ),
    ]
    arguments = {"body": {"deep": [long]}} if where == "argument" else {"body": f"Sent {long}"}
    action = PendingAction(type="call_tool:write", tool_name="send_mail", arguments=arguments, depends_on=("e1",))
    policy = policy_with(content=ContentMode.HASHED)
    raw = recorded_bytes(tmp_path_factory.mktemp("hashed"), policy, entries, action, f"Mail {long} on.")
    assert not any(part in raw for part in pieces(secret) | pieces(number))
    assert b"send_mail" in raw


@settings(max_examples=12, deadline=None)
@given(secret=LETTERS, code=DIGITS, language=st.sampled_from(["en", "zh"]))
def test_redacted_no_part_of_a_marked_field_or_a_match_reaches_the_disk(tmp_path_factory, secret, code, language):
    mail, phone, token = f"{secret}@corp.example", f"13{code}", f"sk-{secret}{code}{secret}"
    # Long before the address, so that excerpts cut it in the middle.
    filler = "The report is ready. " * 7 if language == "en" else "报告已经准备好了。" * 17
    text = {
        "en": f"{filler}Write to {mail} or call {phone}; the key is {token}.",
        "zh": f"{filler}请写信给{mail}或致电{phone}，密钥是{token}。",
    }[language]
    entries = [
        MemoryEntry(id="e0", content=text, source="user"),
        MemoryEntry(
            id="e1",
            content={"password": secret, "note": f"as before: {secret}", "card": int("4" + code + code[:6])},
            source="retrieved",
            depends_on=("e0",),
        ),
    ]
    arguments = {"to": mail, "body": text, "token": {"inner": secret}}
    action = PendingAction(type="call_tool:write", tool_name="send_mail", arguments=arguments, depends_on=("e1", "e0"))
    policy = policy_with(content=ContentMode.REDACTED)
    raw = recorded_bytes(tmp_path_factory.mktemp("redacted"), policy, entries, action, text)
    assert not any(part in raw for part in pieces(secret) | pieces(code))
    assert ("The report is ready" if language == "en" else "报告已经准备好了").encode() in raw


def redacted(text, **fields):
    redactor = Redactor(AuditSettings(content=ContentMode.REDACTED, **fields), salt=b"salt")
    return redactor.redact({"goal": text})["goal"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Write to ann.lee+x@mail.corp.example today", "email"),
        ("请发给ann@corp.example，谢谢", "email"),
        ("请发给ａｎｎ＠ｃｏｒｐ．ｃｎ", "email"),
        ("Call +44 20 7946 0958 now", "phone"),
        ("Call (415) 555-2671 now", "phone"),
        ("电话13812345678，请回电", "phone"),
        ("电话138-1234-5678", "phone"),
        ("座机010-62345678", "phone"),
        ("Card 4111 1111 1111 1111 was charged", "card"),
        ("卡号6222021234567890123", "card"),
        ("身份证11010519491231002X", "id_number"),
        ("SSN 078-05-1120", "id_number"),
        ("use AKIAABCDEFGHIJKLMNOP here", "key"),
        ("Authorization: Bearer abcdefghijklmnopqrstuvwx", "key"),
        ("password: hunter2hunter", "key"),
        ("密码是天王盖地虎abc", "key"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----", "key"),
    ],
)
def test_every_shipped_pattern_masks_its_kind_and_can_be_switched_off(text, name):
    assert f"[{name} " in redacted(text)
    others = tuple(item for item in PatternName if item.value != name)
    assert f"[{name} " not in redacted(text, patterns=others)


@pytest.mark.parametrize(
    "text", ["Revenue in 2025-Q1 was 120,000 USD.", "第一季度营收为120万元，同比增长5%。", "2026-01-31 08:00", "v1.2.3"]
)
def test_figures_dates_and_versions_are_left_alone(text):
    assert redacted(text) == text


def test_equal_values_get_equal_masks_and_other_keys_other_ones():
    one, other = (Redactor(AuditSettings(content=ContentMode.REDACTED), salt=salt) for salt in (b"a", b"b"))
    text = {"goal": "a@b.example c@d.example a@b.example"}
    first, second, third = one.redact(text)["goal"].split("] ")
    assert first == third.rstrip("]") != second
    assert one.redact(text) != other.redact(text)


def test_own_patterns_and_fields_are_masked_too():
    assert redacted("Case ACME-1234 is open", own_patterns={"case": r"ACME-\d+"}).startswith("Case [case ")
    redactor = Redactor(AuditSettings(content=ContentMode.REDACTED, fields=("diagnosis_code",)), salt=b"s")
    payload = {"pending_action": {"arguments": {"diagnosis_code": "F32.1 mild", "body": "Found F32.1 mild there"}}}
    assert "F32" not in str(redactor.redact(payload))


@pytest.mark.parametrize("pattern", ["(", "x*", "(?=look)"])
def test_a_pattern_that_re2_refuses_or_that_masks_everything_is_refused(pattern):
    with pytest.raises(ValueError, match="RE2"):
        AuditSettings(own_patterns={"mine": pattern})


def test_a_misspelt_pattern_gets_the_nearest_name():
    with pytest.raises(ValueError, match="did you mean 'phone'"):
        AuditSettings(patterns=("phnoe",))


def test_the_key_of_the_hashes_comes_from_the_environment(monkeypatch):
    chosen = AuditSettings(content=ContentMode.HASHED, salt_variable="AUDIT_SALT")
    monkeypatch.delenv("AUDIT_SALT", raising=False)
    with pytest.raises(ConfigError, match="AUDIT_SALT is not set"):
        create_redactor(chosen)
    monkeypatch.setenv("AUDIT_SALT", "long secret")
    assert create_redactor(chosen).digest("x") == create_redactor(chosen).digest("x")
    unkeyed = AuditSettings(content=ContentMode.HASHED)
    assert create_redactor(unkeyed).digest("x") != create_redactor(unkeyed).digest("x")


def test_redaction_never_changes_the_verdict(tmp_path):
    entries = [MemoryEntry(id="e0", content="a@b.example", source="user")]
    action = PendingAction(type="call_tool:write", tool_name="send_mail", arguments={"to": "a@b.example"})
    told = set()
    for mode in ContentMode:
        with AuditLog(tmp_path / f"{mode}.sqlite", durable=False) as log:
            guard = MageGuard.create(policy=policy_with(content=mode), audit=log)
            guard.observe(entries[0])
            decision = guard.check(action)
            told.add((decision.action, decision.allowed, decision.risk.model_dump_json(), decision.message))
    assert len(told) == 1


@pytest.mark.parametrize(("durable", "synchronous"), [(True, 2), (False, 1)])
def test_the_policy_says_whether_a_decision_waits_for_the_disk(tmp_path, durable, synchronous):
    guard = MageGuard.create(policy=policy_with(durable=durable), audit=tmp_path / "a.sqlite")
    with guard._audit as log, log._database.write() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == synchronous


LONG = "q7x9" * 20


@pytest.mark.parametrize(
    ("field", "secret", "message", "leak"),
    [
        ("password", "HunterTwo99", "The action goes to 'huntertwo99'.", "huntertwo99"),
        ("password", "ｐａｓｓ１２３４", "It says pass1234.", "pass1234"),
        ("token", LONG, f"The action goes to {LONG[:60]!r}, against the rule.", LONG[:20]),
        ("password", "ab'c\\d\"efgh", f"It says {'ab' + chr(39) + 'c' + chr(92) + 'd' + chr(34) + 'efgh'!r}.", "efgh"),
        ("password", "two  words\nhere", "It says 'two words here'.", "words here"),
        ("db_password", "zzz-yyy-xxx", "It says zzz-yyy-xxx.", "zzz-yyy-xxx"),
        ("accessToken", "zzz-yyy-xxx", "It says zzz-yyy-xxx.", "zzz-yyy-xxx"),
        ("登录密码", "zzz-yyy-xxx", "It says zzz-yyy-xxx.", "zzz-yyy-xxx"),
    ],
)
def test_a_secret_field_is_masked_in_every_spelling_that_a_message_gives_it(field, secret, message, leak):
    redactor = Redactor(AuditSettings(content=ContentMode.REDACTED), salt=b"salt" * 8)
    crowd = [f"a{number}@corp.example" for number in range(300)]
    payload = {"pending_action": {"arguments": {field: secret}}, "decision": {"message": message}, "notes": crowd}
    assert leak not in str(redactor.redact(payload))


@pytest.mark.parametrize(
    ("text", "leak"),
    [
        ("DB_PASSWORD=hunter22secret", "hunter22"),
        ('{"password": "correct horse battery"}', "battery"),
        ('{\\"client_secret\\": \\"one two three\\"}', "three"),
        ("mail jane@corp.password=hunter22secret now", "hunter22"),
    ],
)
def test_a_key_in_a_text_is_masked_to_its_end(text, leak):
    redactor = Redactor(AuditSettings(content=ContentMode.REDACTED), salt=b"salt" * 8)
    assert leak not in str(redactor.redact({"decision": {"message": text}}))


def test_pagination_and_counts_are_no_secret_fields():
    redactor = Redactor(AuditSettings(content=ContentMode.REDACTED), salt=b"salt" * 8)
    payload = {"decision": {"coverage": {"tokens_seen": 12, "tokens_total": 12}}, "note": "The word token comes often."}
    assert redactor.redact(payload) == payload
