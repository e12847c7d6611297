"""Notices: delivered by real servers, never in a decision's way."""

import hmac
import json
import logging
import socket
import ssl
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult

from mage_ml.errors import ConfigError
from mage_ml.runtime.notify import (
    LogNotifier,
    Notice,
    NotifyError,
    SmtpNotifier,
    WebhookNotifier,
    sign,
)
from mage_ml.runtime.notify.smtp import MailSecurity

NOTICE = Notice(
    run_id="r1",
    decision_id="d1",
    decision="halt",
    action_type="call_tool:write",
    tool_name="发送邮件",
    reasons=("safety 0.90: the policy says halt.",),
    entry_ids=("e2",),
    policy_version="v1",
    at=5.0,
)


class Hook:
    """A local HTTP server that answers as told and keeps what it was sent."""

    def __init__(self, answers=(), context=None):
        self.answers, self.got = list(answers), []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.got.append((self.path, dict(self.headers), body))
                answer = outer.answers.pop(0) if outer.answers else 204
                if isinstance(answer, float):
                    time.sleep(answer)
                    answer = 204
                self.send_response(answer)
                if answer == 302:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        if context is not None:
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.url = f"{'https' if context else 'http'}://127.0.0.1:{self.server.server_port}/hook?x=1"

    def __enter__(self):
        self.thread = threading.Thread(target=lambda: self.server.serve_forever(poll_interval=0.02), daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tls")
    cert, key = folder / "cert.pem", folder / "key.pem"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"]
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command = [*made, "-days", "2", "-keyout", str(key), "-out", str(cert), *names]
    subprocess.run(command, check=True, capture_output=True)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(cert, key)
    return server, ssl.create_default_context(cafile=str(cert))


# webhook


def test_a_webhook_gets_the_notice_signed():
    with Hook() as hook:
        WebhookNotifier(hook.url, secret="k", clock=lambda: 77.9).notify(NOTICE)
    ((path, headers, body),) = hook.got
    assert path == "/hook?x=1"
    assert Notice.model_validate_json(body) == NOTICE
    assert headers["X-Mage-Timestamp"] == "77"
    assert headers["X-Mage-Delivery"] == "d1"
    assert hmac.compare_digest(headers["X-Mage-Signature"], sign("k", "77", body))
    assert headers["X-Mage-Signature"] != sign("other", "77", body)


def test_without_a_secret_nothing_is_signed():
    with Hook() as hook:
        WebhookNotifier(hook.url).notify(NOTICE)
    assert "X-Mage-Signature" not in hook.got[0][1]


@pytest.mark.parametrize(("status", "permanent"), [(500, False), (503, False), (429, False), (404, True), (302, True)])
def test_an_answer_that_is_no_success_is_an_error(status, permanent):
    with Hook([status]) as hook, pytest.raises(NotifyError, match=str(status)) as caught:
        WebhookNotifier(hook.url).notify(NOTICE)
    assert caught.value.permanent is permanent
    assert len(hook.got) == 1


def test_a_slow_server_and_none_at_all_are_errors_in_time():
    with Hook([0.6]) as hook, pytest.raises(NotifyError, match="imeout"):
        WebhookNotifier(hook.url, timeout_s=0.1).notify(NOTICE)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(NotifyError, match="refused"):
            WebhookNotifier(f"http://127.0.0.1:{unused.getsockname()[1]}/").notify(NOTICE)


def test_tls_is_checked(certificate):
    server, client = certificate
    with Hook(context=server) as hook:
        WebhookNotifier(hook.url, context=client).notify(NOTICE)
        with pytest.raises(NotifyError, match=r"CERTIFICATE_VERIFY_FAILED|certificate"):
            WebhookNotifier(hook.url).notify(NOTICE)
    assert len(hook.got) == 1


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://host/x", "host/path", "https:///x"])
def test_an_address_that_is_no_http_is_refused(url):
    with pytest.raises(ConfigError, match="https://host/path"):
        WebhookNotifier(url)


# e-mail


class Mailbox:
    def __init__(self, refuse=None):
        self.got, self.refuse = [], refuse

    async def handle_RCPT(self, server, session, envelope, address, options):
        if self.refuse:
            return self.refuse
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        self.got.append((envelope.mail_from, tuple(envelope.rcpt_tos), envelope.content, session.ssl is not None))
        return "250 OK"


class MailServer(Controller):
    def __init__(self, handler, **options):
        self.smtp_options = options
        super().__init__(handler, hostname="127.0.0.1", port=0)

    def factory(self):
        return SMTP(self.handler, **self.smtp_options)

    def _trigger_server(self):
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


def mailer(server, **options):
    options = {"security": MailSecurity.NONE, **options}
    return SmtpNotifier(
        "127.0.0.1", server.port, sender="guard@corp.example", recipients=["ops@corp.example"], timeout_s=5.0, **options
    )


@pytest.fixture
def running():
    started = []

    def start(handler, **options):
        server = MailServer(handler, **options)
        server.start()
        started.append(server)
        return server

    yield start
    for server in started:
        server.stop()


def test_a_mail_names_run_tool_and_reasons(running):
    box = Mailbox()
    mailer(running(box)).notify(NOTICE)
    ((sender, recipients, content, encrypted),) = box.got
    assert (sender, recipients, encrypted) == ("guard@corp.example", ("ops@corp.example",), False)
    assert b"d1" in content
    assert "发送邮件".encode() in content or b"=?utf-8?" in content


def test_starttls_and_login_are_used(running, certificate):
    server, client = certificate
    box = Mailbox()

    def login(server, session, envelope, mechanism, data):
        good = (data.login, data.password) == (b"me", b"pw")
        return AuthResult(success=good, handled=False)

    started = running(
        box, tls_context=server, require_starttls=True, authenticator=login, auth_required=True, hostname="localhost"
    )
    secure = {"security": MailSecurity.STARTTLS, "context": client, "username": "me"}
    mailer(started, **secure, password="pw").notify(NOTICE)
    assert box.got[0][3]
    with pytest.raises(NotifyError, match="535") as caught:
        mailer(started, **secure, password="wrong").notify(NOTICE)
    assert caught.value.permanent
    assert len(box.got) == 1


def test_no_mail_leaves_in_plain_where_starttls_is_asked_for(running):
    box = Mailbox()
    with pytest.raises(NotifyError, match="STARTTLS"):
        mailer(running(box), security=MailSecurity.STARTTLS).notify(NOTICE)
    assert not box.got


@pytest.mark.parametrize(("answer", "permanent"), [("550 no such box", True), ("451 later", False)])
def test_refused_recipients_are_an_error(running, answer, permanent):
    with pytest.raises(NotifyError, match="refused") as caught:
        mailer(running(Mailbox(refuse=answer))).notify(NOTICE)
    assert caught.value.permanent is permanent


def test_line_breaks_in_names_make_no_headers(running):
    box = Mailbox()
    odd = NOTICE.model_copy(
        update={"run_id": "r\r\nBcc: spy@evil.example", "tool_name": "a\nb", "decision_id": "<x>\r\n"}
    )
    mailer(running(box)).notify(odd)
    assert box.got[0][1] == ("ops@corp.example",)
    headers = box.got[0][2].split(b"\r\n\r\n")[0]
    assert b"\r\nBcc:" not in headers


# the log


def test_the_log_has_the_notice_as_text_and_as_data(caplog):
    with caplog.at_level(logging.INFO, logger="halts"):
        LogNotifier("halts", logging.ERROR).notify(NOTICE)
    (entry,) = caplog.records
    assert (entry.levelno, entry.notice) == (logging.ERROR, json.loads(NOTICE.model_dump_json()))
    assert "发送邮件" in entry.getMessage()
