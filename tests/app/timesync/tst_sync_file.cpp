#include "app/gui/common/session_file.h"
#include "app/timesync/clock_settings_json.h"
#include "app/timesync/sync_file.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace helio;

namespace {

/// Returns a valid clock file with all three forms of clocks: one straight line ("hosts"), a straight line for each part of the time
/// ("pieces"), and measured pairs of times ("points").
QByteArray goodFile()
{
    return R"({"reference": "web",
 "hosts": [{"host": "db", "traces": [1], "at_ns": 1000, "is_ns": 2000, "rate": 1.00001, "error_ns": 7, "path": ["web", "db"]},
           {"host": "\u00e9", "offset_ns": -5, "rate": 1, "error_ns": null, "method": "packets"}],
 "pieces": [{"host": "db", "from_ns": 0, "at_ns": 1000, "is_ns": 2000, "rate": 1.0, "error_ns": 3}],
 "points": [{"host": "db", "at_ns": 1000, "is_ns": 2000, "error_ns": 1}, {"host": "db", "at_ns": 5000, "is_ns": 6000, "error_ns": 2}]})";
}

class Written {
public:
    Result<ClockSettings> read(const QByteArray& text) const { return readSyncFile(path(text).toStdString()); }
    QString path(const QByteArray& text) const
    {
        const QString name = m_folder.filePath("clocks.json");
        QFile file(name);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write %s", qPrintable(name));
        return name;
    }

private:
    QTemporaryDir m_folder;
};

} // namespace

class SyncFileTest : public QObject {
    Q_OBJECT

private slots:
    void aWholeFileIsRead()
    {
        const auto choice = Written().read(goodFile());
        QVERIFY2(choice, choice ? "" : choice.error().what.c_str());
        QCOMPARE(choice->reference, "web");
        QCOMPARE(choice->hosts.size(), 2U);
        QCOMPARE(choice->hosts.at("db").points.size(), 2U);
    }

    void oneHostOrGuestTwiceIsSaid()
    {
        const auto hosts =
            Written().read(R"({"hosts": [{"host": "db", "offset_ns": 5, "method": "manual"}, {"host": "db", "method": "none"}]})");
        QVERIFY(!hosts && hosts.error().what.ends_with("host \"db\" appears twice"));
        const auto guests = Written().read(R"({"hosts": [], "guests": [{"guest": "a", "host": "nest", "process": 190},
                                                                       {"guest": "a", "host": "nest", "process": 191}]})");
        QVERIFY(!guests && guests.error().what.ends_with("guest \"a\" appears twice"));
    }

    void whereverItIsCutOffThatIsSaid()
    {
        const Written file;
        const QByteArray good = goodFile();
        for (qsizetype length = 0; length < good.size(); ++length) {
            const auto choice = file.read(good.first(length));
            QVERIFY2(!choice, good.first(length).constData());
            QVERIFY2(choice.error().what.find("clocks.json: byte ") != std::string::npos, choice.error().what.c_str());
        }
        for (const char* text : {"{", "{\"hosts\": [{\"host\": \"db\", \"at_ns\": \"x\" ", "{\"reference\": \"client\", \"hosts\": ["}) {
            const auto choice = file.read(text);
            QVERIFY(!choice);
            QVERIFY2(choice.error().what.find("unexpected end of text") != std::string::npos, choice.error().what.c_str());
        }
    }

    /// Input: a file with any one byte changed. Property: reading ends with a result or an error.
    void anyChangedByteEndsWithAResult()
    {
        const Written file;
        std::mt19937 random(7);
        const QByteArray good = goodFile();
        for (int i = 0; i < 4000; ++i) {
            QByteArray text = good;
            for (int changes = 0; changes < 1 + i % 3; ++changes)
                text[qsizetype(random() % std::uint32_t(text.size()))] = "{}[]\":,0-x\\ \xff"[random() % 13];
            if (const auto choice = file.read(text); !choice)
                QVERIFY(choice.error().what.find("clocks.json: ") != std::string::npos);
        }
    }

    void whatIsNoObjectIsAnError()
    {
        const Written file;
        for (const char* text : {"", "5", "[]", "\"text\"", "null", "{}", "{\"hosts\": 5}", "{\"hosts\": [5]}", "{\"hosts\": []} x"})
            QVERIFY2(!file.read(text), text);
        const auto none = readSyncFile("/nowhere/none.json");
        QVERIFY(!none);
        QCOMPARE(QString::fromStdString(none.error().what), "/nowhere/none.json: cannot be read: No such file or directory");
    }

    void guestsAreReadToo()
    {
        const Written file;
        const auto choice =
            file.read(R"({"hosts": [], "guests": [{"guest": "a", "host": "nest", "process": 190, "vcpus": [{"vcpu": 1, "tid": 192},
            {"vcpu": 0, "tid": 193}]}, {"guest": "b"}]})");
        QVERIFY2(choice, choice ? "" : choice.error().what.c_str());
        const std::map<std::string, GuestOverride> expected{{"a", {"nest", 190, {{0, 193}, {1, 192}}}}, {"b", {}}};
        QVERIFY(choice->guests == expected);
        QVERIFY(clockSettingsFrom(clockSettingsJson(*choice)) == *choice);

        Timeline timeline;
        timeline.hosts.push_back({"a", "a"});
        timeline.clockSettings = *choice;
        const auto again = file.read(QByteArray::fromStdString(syncDocument(timeline)));
        QVERIFY2(again, again ? "" : again.error().what.c_str());
        QVERIFY(again->guests == expected);
    }

    void guestsThatMakeNoSenseAreErrors()
    {
        const Written file;
        const std::pair<const char*, const char*> cases[] = {
            {R"({})", "an entry of \"guests\" has no name (\"guest\")"},
            {R"({"guest": "a", "host": "nest"})", "guest \"a\": \"process\" is not a process ID on \"host\""},
            {R"({"guest": "a", "host": "nest", "process": -4})", "guest \"a\": \"process\" is not a process ID on \"host\""},
            {R"({"guest": "a", "host": "nest", "process": 99999999999})", "guest \"a\": \"process\" is not a process ID on \"host\""},
            {R"({"guest": "a", "host": "nest", "process": 4, "vcpus": [{"vcpu": 0}]})",
             "guest \"a\": an entry of \"vcpus\" lacks a numeric \"vcpu\" or \"tid\""},
            {R"({"guest": "a", "host": "nest", "process": 4, "vcpus": [{"vcpu": 0, "tid": 5}, {"vcpu": 0, "tid": 6}]})",
             "guest \"a\": vCPU 0 appears twice"},
            {R"({"guest": "a", "host": "nest", "process": 4, "vcpus": [{"vcpu": 0, "tid": 5}, {"vcpu": 1, "tid": 5}]})",
             "guest \"a\": thread 5 appears twice"},
            {R"({"guest": "a", "host": "nest", "process": 4, "vcpus": 7})", "guest \"a\": \"vcpus\" is not a list"}};
        for (const auto& [guest, what] : cases) {
            const auto choice = file.read(QByteArray("{\"hosts\": [], \"guests\": [") + guest + "]}");
            QVERIFY2(!choice, guest);
            QVERIFY2(QString::fromStdString(choice.error().what).endsWith(QString("clocks.json: ") + what), choice.error().what.c_str());
        }
    }

    void fileMayHoldGuestsAlone()
    {
        const Written file;
        const auto choice = file.read(R"({"guests": [{"guest": "a", "host": "nest", "process": 190}]})");
        QVERIFY2(choice, choice ? "" : choice.error().what.c_str());
        QCOMPARE(choice->guests.size(), 1U);
        QVERIFY(!file.read(R"({"hosts": [], "guests": {}})"));
        QJsonObject session = clockSettingsJson(*choice);
        session["guests"] = QJsonArray{QJsonObject{{"guest", "b"}, {"host", "nest"}}, session["guests"].toArray().first()};
        QVERIFY(clockSettingsFrom(session) == *choice); // The invalid entry for guest b is skipped; the entry for guest a is read.
    }

    void whatContradictsItselfIsNotTaken()
    {
        const auto choice = Written().read(R"({"hosts": [{"host": "db", "offset_ns": 5, "method": "packets", "quality": "failed"},
            {"host": "web", "offset_ns": 5, "method": "packets", "quality": "accurate", "error_ns": 500, "bound_ns": null},
            {"host": "mail", "offset_ns": 5, "method": "packets", "quality": "accurate", "error_ns": 500}]})");
        QVERIFY(choice);
        QVERIFY(!choice->hosts.contains("db"));
        QCOMPARE(choice->hosts.at("web").origin->bound, Duration::max());
        QCOMPARE(choice->hosts.at("mail").origin->bound, Duration(500));
    }

    void sessionsMayBeCutOffToo()
    {
        const Written file;
        SessionState state;
        state.traces = {"/a", "/b"};
        state.clocks = *file.read(goodFile());
        const QString path = file.path({});
        QVERIFY(saveSession(state, path));
        QFile saved(path);
        QVERIFY(saved.open(QIODevice::ReadOnly));
        const QByteArray whole = saved.readAll().trimmed();
        for (qsizetype length = 0; length < whole.size(); ++length)
            QVERIFY2(!loadSession(file.path(whole.first(length))), whole.first(length).constData());
        QVERIFY(loadSession(file.path(whole)));
    }
};

HELIO_TEST(SyncFileTest)
#include "tst_sync_file.moc"
