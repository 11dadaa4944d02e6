#include "core/formats/ctf/foreign/foreign_messages.h"
#include "core/formats/ctf/foreign/foreign_reader.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <thread>
#include <unistd.h>

using namespace helio;

namespace {

const char* const Sample = SOURCE_DIR "/resources/samples/workers/kernel";

/// Writes metadata that is cut inside a word: libbabeltrace2 2.0.4 hangs when it reads this file.
void writeCutMetadata(const QTemporaryDir& folder)
{
    QFile whole(SOURCE_DIR "/tests/fixtures/ust-callstack/ust/uid/0/64-bit/metadata");
    QVERIFY(whole.open(QIODevice::ReadOnly));
    QFile cut(folder.filePath("metadata"));
    QVERIFY(cut.open(QIODevice::WriteOnly));
    QCOMPARE(cut.write(whole.read(2000)), 2000);
}

/// PIDs of the reader processes that this program started.
QList<pid_t> foreignReaders()
{
    QList<pid_t> ids;
    for (const QString& name : QDir("/proc").entryList(QDir::Dirs)) {
        QFile stat("/proc/" + name + "/stat");
        if (name.toInt() <= 0 || !stat.open(QIODevice::ReadOnly))
            continue;
        // Content of /proc/PID/stat, for example "123 (heliograph-babe) S 122 ...": PID, name, state, PID of the parent.
        const QByteArray text = stat.readAll();
        const auto after = text.mid(text.lastIndexOf(')') + 2).split(' ');
        if (after.size() > 1 && after[0] != "Z" && after[1].toInt() == getpid())
            ids << name.toInt();
    }
    return ids;
}

} // namespace

/// Heliograph runs libbabeltrace2 in a child process. Property: if the child hangs or fails, this program continues.
class ForeignReaderTest : public QObject {
    Q_OBJECT

private slots:
    void numbersThatAreNoneOfAnEnumerationAreRefused()
    {
        WireWriter writer(foreign::WireMessageKind::Described);
        writer(Diagnostic::Severity::Error, true, std::optional<HostRange>({hostTime(1), hostTime(2)}), ByteOrder::Big);
        const auto message = writer.message().subspan(sizeof(MessageHeader));
        const auto isGood = [&](std::size_t changed, std::uint8_t to) {
            std::vector<std::byte> bytes(message.begin(), message.end());
            if (changed < bytes.size())
                bytes[changed] = std::byte(to);
            WireReader reader(bytes);
            Diagnostic::Severity severity{};
            bool isTrue = false;
            std::optional<HostRange> range;
            ByteOrder order{};
            reader(severity, isTrue, range, order);
            return reader.isGood();
        };
        const std::size_t severity = 0, truth = sizeof(Diagnostic::Severity), optional = truth + 1, order = message.size() - 1;
        QVERIFY(isGood(message.size(), 0));
        for (const std::size_t place : {severity, truth, optional, order}) {
            QVERIFY(isGood(place, 1));
            QVERIFY2(!isGood(place, 7), qPrintable(QString::number(place)));
        }
        QVERIFY(!isGood(severity + 3, 0x80)); // Setting the highest bit makes the severity negative, i.e. less than the lowest enumerator.
    }

    void aLibraryThatHangsIsAnError()
    {
        const QTemporaryDir folder;
        writeCutMetadata(folder);
        ProcessLimits limits;
        limits.cpuSeconds = 1;

        const auto trace = openWithBabeltrace({folder.path().toStdString(), {}}, {}, limits);

        QVERIFY(!trace);
        QVERIFY2(trace.error().what.find("babeltrace2") != std::string::npos, trace.error().what.c_str());
        QVERIFY(foreignReaders().isEmpty());
    }

    void aLibraryThatHangsIsCancelled()
    {
        const QTemporaryDir folder;
        writeCutMetadata(folder);
        std::stop_source stop;
        const std::jthread canceller([&] {
            while (foreignReaders().isEmpty())
                std::this_thread::yield();
            stop.request_stop();
        });

        const auto trace = openWithBabeltrace({folder.path().toStdString(), {}}, {}, {}, stop.get_token());

        QVERIFY(!trace);
        QCOMPARE(trace.error().kind, Error::Kind::Cancelled);
        QVERIFY(foreignReaders().isEmpty());
    }

    void aStreamWhoseReaderDiesEndsAndSaysSo()
    {
        // A reader that has sent all events before it dies has cut nothing, so that it takes several attempts.
        for (int attempt = 0; attempt < 50; ++attempt) {
            const auto trace = openWithBabeltrace({Sample, {}}, {});
            QVERIFY2(trace, trace ? "" : trace.error().what.c_str());
            const auto stream = (*trace)->openStream(0);
            EventBatch batch;
            while (batch.records.empty())
                QVERIFY(stream->next(batch));

            const auto ids = foreignReaders();
            QCOMPARE(ids.size(), 1);
            kill(ids.front(), SIGKILL);
            while (stream->next(batch)) { }

            if (stream->diagnostics().empty())
                continue;
            QCOMPARE(stream->diagnostics().size(), std::size_t(1));
            QCOMPARE(stream->diagnostics()[0].kind, std::string("stream-cut"));
            return;
        }
        QFAIL("no reader died in time");
    }

    void aStreamThatIsDroppedLeavesNoReader()
    {
        const auto trace = openWithBabeltrace({Sample, {}}, {});
        QVERIFY2(trace, trace ? "" : trace.error().what.c_str());
        {
            const auto stream = (*trace)->openStream(0);
            EventBatch batch;
            QVERIFY(stream->next(batch));
            QVERIFY(!foreignReaders().isEmpty());
        }

        QVERIFY(foreignReaders().isEmpty());
    }

    void whatIsDamagedIsNotHandedOn()
    {
        const QTemporaryDir folder;
        writeCutMetadata(folder);
        const std::filesystem::path path = folder.path().toStdString();
        const auto* const ctf =
            *std::find_if(builtinTraceFormats().begin(), builtinTraceFormats().end(), [](const auto* it) { return it->name == "ctf"; });

        const auto trace = ctf->open({path, {path}});

        QVERIFY2(!trace || (*trace)->info().reader == "heliograph", "it was handed on");
        QVERIFY2(trace || trace.error().what.find("babeltrace2") == std::string::npos, "it was handed on");
    }
};

HELIO_TEST(ForeignReaderTest)
#include "tst_foreign_reader.moc"
