// Opening of files: messages about files that are no traces, and compressed recordings.

#include "core/experiment/trace_opener.h"
#include "core/trace/merged_events.h"
#include "tests/support/dice.h"
#include "tests/support/files.h"
#include "tests/support/made_perfetto.h"
#include "tests/support/perf_builder.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

using namespace helio;

namespace {

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Compresses bytes with an installed program; empty if the program is not installed.
QByteArray compressed(const QString& program, const QByteArray& bytes)
{
    QProcess process;
    process.start(program, {"-c"});
    if (!process.waitForStarted())
        return {};
    process.write(bytes);
    process.closeWriteChannel();
    return process.waitForFinished() ? process.readAllStandardOutput() : QByteArray();
}

} // namespace

class TraceOpenerTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString written(const QString& name, const QByteArray& bytes) { return test::writeFile(m_folder.filePath(name), bytes); }
    BegunOpenings begin(const QString& path, const TraceFormat* format = nullptr)
    {
        return beginTraces({path.toStdString()}, m_folder.filePath("unpacked").toStdString(), {}, format);
    }
    /// Returns the format with a name of the command line.
    static const TraceFormat* formatNamed(const std::string& word)
    {
        const auto formats = builtinTraceFormats();
        const auto found = std::ranges::find(formats, word, [](const TraceFormat* format) { return wordOf(*format); });
        return found == formats.end() ? nullptr : *found;
    }
    QString problemOf(const QString& path)
    {
        const BegunOpenings begun = begin(path);
        return begun.traces.empty() && begun.problems.size() == 1 ? QString::fromStdString(begun.problems.front().what) : QString("none");
    }
    /// Packs two recordings, one/fp.data and two/fp.data, into an archive and returns its path; empty if tar is not installed.
    QString packedRecordings(const QString& name)
    {
        for (const char* part : {"one", "two"}) {
            QDir(m_folder.path()).mkdir(part);
            QFile::copy(SOURCE_DIR "/tests/fixtures/perf/fp.data", m_folder.filePath(QString(part) + "/fp.data"));
        }
        const bool isPacked = QProcess::execute("tar", {"-C", m_folder.path(), "-czf", m_folder.filePath(name), "one", "two"}) == 0;
        return isPacked ? m_folder.filePath(name) : QString();
    }
    /// Returns the number of events of a recording.
    static int eventsIn(BegunOpenings begun)
    {
        const auto trace = begun.traces.empty() ? Error{Error::Kind::NotFound, {}} : begun.traces.front()->finish({}, {});
        if (!trace)
            return -1;
        int count = 0;
        for (MergedEvents events(**trace); events.next();)
            ++count;
        return count;
    }

private slots:
    void whatIsNoTraceIsSaidToBeWhatItIs_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("what");
        const QByteArray zeros(100, '\0');
        QTest::newRow("perf, version 1") << "PERFFILE" + zeros << "it is a version 1 perf.data file (written until 2012";
        QTest::newRow("a program") << bytesOf(QCoreApplication::applicationFilePath()).first(5000)
                                   << "it is an ELF program or library, not a recording; record it while it runs";
        QTest::newRow("a stream") << QByteArray("\xc1\x1f\xfc\xc1") + zeros << "it is one stream of a CTF trace; open its folder";
        QTest::newRow("metadata") << QByteArray("/* CTF 1.8 */ typealias") << "it is the metadata of a CTF trace; open its folder";
        QTest::newRow("jitdump") << "DTiJ" + zeros << "it is a jitdump file, which names code for a perf.data";
        QTest::newRow("pcapng") << QByteArray("\x0a\x0d\x0d\x0a") + zeros << "it is a network packet capture (pcapng), not a trace";
        QTest::newRow("Java") << QByteArray("FLR\0\0\2", 6) + zeros << "it is a recording of Java Flight Recorder";
        QTest::newRow("lock_stat") << QByteArray("lock_stat version 0.4\n----\n")
                                   << "it is a copy of /proc/lock_stat; print it with heliograph lock-stat";
        QTest::newRow("JSON") << QByteArray("{\"a\": 1}") << "it is an unsupported JSON file";
        QTest::newRow("text") << QByteArray("Dear all,\nlunch is at one.\n") << "it is an unrecognized text file. Supported: perf.data";
        QTest::newRow("anything") << QByteArray("\x01\x02\x03\x04") + zeros << "it is an unrecognized file. Supported: perf.data";
        QTest::newRow("nothing") << QByteArray() << "the file is empty";
    }
    void whatIsNoTraceIsSaidToBeWhatItIs()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, what);

        const QString problem = problemOf(written("file", bytes));

        QVERIFY2(problem.startsWith(what), qPrintable(problem));
        QVERIFY2(!problem.contains("LTTng trace is a folder"), qPrintable(problem));
        if (const QByteArray packed = compressed("gzip", bytes); !packed.isEmpty() && !bytes.isEmpty()) {
            const QString ofPacked = problemOf(written("file.gz", packed));
            QVERIFY2(ofPacked.startsWith(QString(what).replace(0, 6, "it is compressed and contains ")), qPrintable(ofPacked));
        }
    }

    void anEmptyFolderHoldsNoTrace() { QVERIFY(problemOf(m_folder.path()).startsWith("no trace in this folder")); }

    /// Property: opening a folder opens text files that are independent recordings. It does not open printed copies of its binary
    /// recordings (e.g. by perf script), nor texts whose format is only a guess.
    void aFolderOpensItsTextsButNotThePrints()
    {
        const QString folder = m_folder.filePath("mixed");
        QVERIFY(QDir().mkpath(folder + "/logs"));
        QVERIFY(QFile::copy(SOURCE_DIR "/tests/fixtures/perf/fp.data", folder + "/kernel.bin"));
        const QByteArray script = "prog 7 [000] 1.000000: 100 cpu-clock: \n\t401000 main+0x0 (/bin/prog)\n\n";
        const QByteArray strace = "100 1795260708.100000 openat(AT_FDCWD, \"/etc/passwd\", O_RDONLY) = 3 <0.000020>\n"
                                  "100 1795260708.200000 close(3) = 0 <0.000010>\n";
        const QByteArray json = "[{\"ph\":\"X\",\"ts\":1,\"dur\":2,\"pid\":1,\"tid\":1,\"name\":\"span\"}]";
        test::writeFile(folder + "/kernel.report", json); // Another recording, although it is named like kernel.bin.
        test::writeFile(folder + "/other.txt", script); // Output of perf script beside a perf.data file: a printed copy.
        test::writeFile(folder + "/logs/a.neutral", strace);
        test::writeFile(folder + "/spans", json);
        test::writeFile(folder + "/folded.txt", "a;b 1\na;c 2\na;d 3\n"); // Recognized as folded stacks only by a guess, so not opened.
        // Not opened: output of perf script after other text is only a guess.
        test::writeFile(folder + "/mail.txt", "Dear all, perf says:\n\n" + script);
        test::writeFile(folder + "/notes.txt", "Dear all,\nlunch is at one.\n");

        const BegunOpenings begun = begin(folder);
        QStringList traces;
        for (const auto& opening : begun.traces) {
            const TraceInfo info = opening->provisionalTrace()->info(); // A copy: the provisional trace is a temporary.
            traces << QString::fromStdString(info.name + " " + info.format + " " + std::string(wordOf(info.recognition)));
        }
        QCOMPARE(traces,
                 (QStringList{"kernel.bin perf.data signature", "kernel.report Chrome JSON structure", "a.neutral strace structure",
                              "spans Chrome JSON structure"}));
        QCOMPARE(begun.problems.size(), std::size_t(1));
        QCOMPARE(begun.problems.front().kind, std::string("prints-left-out"));
        QCOMPARE(begun.problems.front().count, std::uint64_t(1));
        QCOMPARE(begin(folder + "/other.txt").traces.size(), std::size_t(1)); // A printed copy is read if the user opens it directly.
        QCOMPARE(begin(folder + "/folded.txt").problems.front().what, std::string("the format is a guess: read as folded stacks"));
        QCOMPARE(begin(folder + "/folded.txt").traces.front()->provisionalTrace()->info().recognition, Recognition::Guess);
    }

    /// Property: the format of a file follows from its content, not from its name.
    void aWrongNameDoesNotHideTheFormat()
    {
        const QDir fixtures(SOURCE_DIR "/tests/fixtures/perf");
        for (const char* wrong : {"neutral", "wrong.json", "wrong.txt", "trace.dat", "metadata.txt", "x.html"}) {
            const QString path = m_folder.filePath(wrong);
            QFile::remove(path);
            QVERIFY(QFile::copy(fixtures.filePath("fp.data"), path));
            const BegunOpenings begun = begin(path);
            QCOMPARE(begun.traces.size(), std::size_t(1));
            QCOMPARE(begun.traces.front()->provisionalTrace()->info().format, std::string("perf.data"));
            QFile::remove(path);
        }
    }

    /// Input: recordings of the shared collection. Property: a copy with a neutral or a wrong name opens in the same format.
    void recordingsOfTheCollectionOpenUnderAnyName()
    {
        QStringList paths;
        for (const char* collection : {"ftrace-host", "ltrace", "solo-vs-parallel-perf"})
            if (const QString folder = realTrace(collection); !folder.isEmpty())
                for (QDirIterator it(folder, QDir::Files, QDirIterator::Subdirectories); it.hasNext();)
                    paths << it.next();
        for (const char* json : {"flow", "x_event_trace", "simple-object"})
            if (const QString path = sharedFile(QString("formats/chrome-json/%1.json").arg(json)); !path.isEmpty())
                paths << path;
        if (paths.isEmpty())
            QSKIP(qPrintable(missingTrace("ftrace-host")));
        int recordings = 0;
        for (const QString& path : paths) {
            const auto formatOf = [&](const QString& of) {
                const BegunOpenings begun = begin(of);
                return begun.traces.size() == 1 ? begun.traces.front()->provisionalTrace()->info().format : std::string();
            };
            const std::string format = formatOf(path);
            // Skip files without a recording, files of CTF traces, and files larger than 50 MB.
            if (format.empty() || format == "ctf" || QFileInfo(path).size() > 50'000'000)
                continue;
            ++recordings;
            for (const char* name : {"neutral", "wrong.data"}) {
                QFile::remove(m_folder.filePath(name));
                QVERIFY(QFile::copy(path, m_folder.filePath(name)));
                QVERIFY2(formatOf(m_folder.filePath(name)) == format, qPrintable(path + " as " + name));
            }
        }
        QVERIFY(recordings > 2);
    }

    /// Property: a path in an archive opens that part of it only, and the trace is named by the path with which it can be opened again.
    void aPathInAnArchiveOpensAPartOfIt()
    {
        const QString archive = packedRecordings("a.tar.gz");
        if (archive.isEmpty())
            QSKIP("tar is not installed");
        QCOMPARE(begin(archive).traces.size(), 2U);
        const BegunOpenings one = begin(archive + "/one");
        QCOMPARE(one.traces.size(), 1U);
        QVERIFY(one.problems.empty());
        const std::string named = one.traces.front()->provisionalTrace()->info().path.string();
        QCOMPARE(QString::fromStdString(named), archive + "/one/fp.data");
        QCOMPARE(begin(QString::fromStdString(named)).traces.size(), 1U);
        QCOMPARE(problemOf(archive + "/three"), QString("the archive contains no three"));
        QCOMPARE(problemOf(archive + "/../three"), QString("no such file or folder"));
        QCOMPARE(problemOf(m_folder.filePath("one/fp.data/three")), QString("no such file or folder"));
    }

    /// Property: a folder without traces that has one archive stands for the archive; with several ones, the user has to choose.
    void aFolderWithOneArchiveStandsForIt()
    {
        const QString archive = packedRecordings("b.tar.gz");
        if (archive.isEmpty())
            QSKIP("tar is not installed");
        QTemporaryDir folder;
        QVERIFY(QFile::copy(archive, folder.filePath("b.tar.gz")));
        test::writeFile(folder.filePath("README.txt"), "Two recordings.\n");
        const BegunOpenings begun = begin(folder.path());
        QCOMPARE(begun.traces.size(), 2U);
        QVERIFY(begun.problems.empty());
        QVERIFY(QFile::copy(archive, folder.filePath("c.tar.gz")));
        QCOMPARE(problemOf(folder.path()),
                 QString("no trace here, but 2 archives, such as b.tar.gz. Open one of them, or several together"));
    }

    void metadataThatWasLostIsNamed()
    {
        QTemporaryDir folder;
        const QString metadata = folder.filePath("metadata");
        test::writeFile(folder.filePath("chan_0"), QByteArray("\xc1\x1f\xfc\xc1") + QByteArray(100, '\0'));
        test::writeFile(metadata, {});
        QVERIFY(problemOf(folder.path()).contains("metadata: the metadata is empty"));
        test::writeFile(metadata, QByteArray(4096, '\0'));
        QVERIFY(problemOf(folder.path()).contains("metadata: the metadata consists of zeros"));
    }

    void whatMayNotBeReadIsNamedWithWhatHelps()
    {
        QTemporaryDir folder(QDir::tempPath() + "/it's");
        const QString kernel = folder.filePath("session/kernel");
        const QString metadata = test::writeFile(folder.filePath("session/ust/metadata"),
                                                 "/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; }; stream { id = 0; };");
        const auto everyone = QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ReadGroup | QFile::ExeGroup | QFile::ReadOther
            | QFile::ExeOther;
        QVERIFY(QDir().mkpath(kernel) && QFile::setPermissions(folder.path(), everyone) && QFile::setPermissions(kernel, {}));
        // For root, permissions do not apply: the test changes to another user.
        const bool isRoot = ::geteuid() == 0;
        const auto openedByUser = [&](const QString& path) {
            if (isRoot && ::seteuid(65534) != 0)
                qFatal("cannot become another user");
            BegunOpenings begun = beginTraces({path.toStdString()}, folder.filePath("unpacked").toStdString());
            if (isRoot && ::seteuid(0) != 0)
                qFatal("cannot become root again");
            return begun;
        };
        const QString said = "cannot read " + kernel
            + ": permission denied. Recordings made as root, such as kernel traces, belong to root. To take "
              "ownership: sudo chown -R \"$USER\" '"
            + QString(kernel).replace("'", "'\\''") + "'";

        // Opening succeeds, because the folder also contains a readable trace.
        const BegunOpenings begun = openedByUser(folder.filePath("session"));
        for (const Diagnostic& it : begun.problems)
            QCOMPARE(QString::fromStdString(it.what), said);
        QCOMPARE(begun.problems.size(), std::size_t(1));
        QCOMPARE(begun.traces.size(), std::size_t(1));

        QVERIFY(QFile::remove(metadata));
        const BegunOpenings nothing = openedByUser(folder.filePath("session"));
        QCOMPARE(nothing.problems.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(nothing.problems[0].what), said);
        QVERIFY(QFile::setPermissions(kernel, everyone));

        // It is unknown whether a folder without permission contains a trace. Such a folder is only counted in the message that no trace
        // was found.
        const QString other = folder.filePath("session/rules");
        QVERIFY(QDir().mkpath(other) && QFile::setPermissions(other, {}));
        const BegunOpenings none = openedByUser(folder.filePath("session"));
        QCOMPARE(none.problems.size(), std::size_t(1));
        QVERIFY(none.problems[0].what.starts_with("no trace in this folder, but permission was denied for one item in it: "
                                                  + other.toStdString()));
        QVERIFY(QFile::setPermissions(other, everyone)); // Restores the permissions, so that the temporary folder can be removed.
    }

    void aCompressedRecordingIsReadAsItWas_data()
    {
        QTest::addColumn<QString>("ending");
        QTest::newRow("gzip") << "gz";
        QTest::newRow("zstd") << "zst";
        QTest::newRow("xz") << "xz";
        QTest::newRow("bzip2") << "bz2";
    }
    void aCompressedRecordingIsReadAsItWas()
    {
        QFETCH(QString, ending);
        const QString recording = QStringLiteral(SOURCE_DIR "/tests/fixtures/perf/fp.data");
        const QByteArray packed = compressed(QTest::currentDataTag(), bytesOf(recording));
        if (packed.isEmpty())
            QSKIP("the program is not installed");
        const QString path = written("perf.data." + ending, packed);

        BegunOpenings begun = begin(path);

        QCOMPARE(begun.traces.size(), std::size_t(1));
        QVERIFY(begun.problems.empty());
        QCOMPARE(begun.traces.front()->provisionalTrace()->info().name, ("perf.data." + ending).toStdString());
        QCOMPARE(begun.traces.front()->provisionalTrace()->info().path,
                 std::filesystem::path(path.toStdString())); // The trace's path is that of the compressed file.
        QVERIFY(eventsIn(begin(recording)) > 0);
        QCOMPARE(eventsIn(std::move(begun)), eventsIn(begin(recording)));
        QCOMPARE(bytesOf(path), packed);
    }

    void aCompressedRecordingThatIsCutIsReadUpToThere()
    {
        MadePerfData made;
        made.addAttribute({});
        Dice dice(1);
        constexpr int Samples = 20'000;
        for (int i = 0; i < Samples; ++i)
            made.addSample(dice.below(1u << 30), 1, 1, std::uint64_t(i), 0, dice.below(1000));
        const QByteArray packed = compressed("gzip", made.file());
        if (packed.isEmpty())
            QSKIP("the program is not installed");

        const int events = eventsIn(begin(written("cut.data.gz", packed.first(packed.size() * 2 / 3))));

        QVERIFY2(events > Samples / 2 && events < Samples, qPrintable(QString::number(events)));
    }

    /// Property: a file is read as the named format, also if its content is not recognized or is that of another format. Any file read as
    /// any format is opened or refused.
    void aNamedFormatIsRead()
    {
        const QByteArray event = "  a-1 [000] d..1 1.000000: x: y=1\n";
        const QString late = written("late.txt", QByteArray("Not an event.\n").repeated(100) + event);
        QCOMPARE(eventsIn(begin(late)), -1);
        QCOMPARE(eventsIn(begin(late, formatNamed("ftrace-text"))), 1);
        const QString mixed = written("mixed.txt", "12 1700000000.5 getpid() = 20 <0.01>\n" + event);
        QCOMPARE(eventsIn(begin(mixed, formatNamed("call-log"))), 2);
        QCOMPARE(eventsIn(begin(mixed, formatNamed("ftrace-text"))), 1);
        QVERIFY(QDir(m_folder.path()).mkdir("texts"));
        QVERIFY(QFile::copy(mixed, m_folder.filePath("texts/mixed.txt")));
        QCOMPARE(eventsIn(begin(m_folder.filePath("texts"), formatNamed("perf.data"))), -1);
        QCOMPARE(eventsIn(begin(m_folder.filePath("texts"), formatNamed("call-log"))), 2);

        const QStringList files{late,
                                mixed,
                                written("empty", {}),
                                written("json", "[{}]"),
                                written("bytes", QByteArray(5000, '\x93')),
                                SOURCE_DIR "/tests/fixtures/perf/fp.data"};
        for (const TraceFormat* format : builtinTraceFormats())
            for (const QString& file : files) {
                const BegunOpenings begun = begin(file, format);
                QVERIFY2(begun.traces.size() + begun.problems.size() > 0, qPrintable(file));
                for (const auto& opening : begun.traces)
                    opening->finish({}, {});
            }
    }

    /// Property: texts of other recordings in a recording are recordings of their own, below its path, in the format that their content
    /// shows; a text in no known format is reported.
    void textsInRecordingsAreRecordings()
    {
        const QByteArray line = "bash-7     [001] d... 2.500000: sched_waking: comm=sh pid=8 prio=120 target_cpu=001\n";
        const QByteArray sync = "bash-7     [001] .... 1.000000: tracing_mark_write: trace_event_clock_sync: parent_ts=31.0\n";
        const QByteArray text = QByteArray(sync + line).replace('\n', "\\n");
        const QString path = written("trace.json",
                                     "{\"traceEvents\":[{\"ph\":\"X\",\"pid\":7,\"tid\":7,\"ts\":32000000,\"dur\":9,\"name\":\"a\"}],"
                                     "\"systemTraceEvents\":\"# tracer: nop\\n"
                                         + text + "\"}");
        const BegunOpenings begun = begin(path);
        QVERIFY(begun.problems.empty());
        QCOMPARE(begun.traces.size(), std::size_t(2));
        const auto trace = begun.traces[1]->finish({}, {});
        QVERIFY(trace);
        const TraceInfo& info = (*trace)->info();
        QCOMPARE(info.path.string(), (path + "/systemTraceEvents").toStdString());
        QCOMPARE(info.format, std::string("ftrace text"));
        QCOMPARE(info.clock.name, std::string("mono"));
        MergedEvents events(**trace);
        std::vector<std::int64_t> times;
        while (events.next())
            times.push_back(nanoseconds(events.event().time()));
        QCOMPARE(times, (std::vector<std::int64_t>{31'000'000'000, 32'500'000'000}));

        const BegunOpenings other = begin(written("other.json",
                                                  "{\"traceEvents\":[{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":1,\"name\":\"a\"}],"
                                                  "\"systemTraceEvents\":\"no trace\"}"));
        QCOMPARE(other.traces.size(), std::size_t(1));
        QCOMPARE(other.problems.size(), std::size_t(1));
        QCOMPARE(other.problems[0].kind, std::string("unread-embedded"));
    }

    /// Property: a trace of Perfetto with a text of ftrace in its first packet is not taken for that text.
    void textsInPacketsAreRecordings()
    {
        const std::string line = "bash-7     [001] d... 2.500000: sched_waking: comm=sh pid=8 prio=120 target_cpu=001\n";
        MadePerfetto trace;
        trace.packet(1, 5, MadeMessage().text(4, "# tracer: nop\n" + line).text(4, line));
        const BegunOpenings begun = begin(written("t.pftrace", trace.bytes()));
        QStringList formats;
        for (const auto& it : begun.traces)
            formats << QString::fromStdString(it->provisionalTrace()->info().format);
        QCOMPARE(formats, QStringList({"Perfetto", "ftrace text"}));
    }
};

HELIO_TEST(TraceOpenerTest)
#include "tst_trace_opener.moc"
