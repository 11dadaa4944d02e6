// Property: an export is complete or absent, and never touches what it was made from.

#include "core/export/export_format.h"
#include "core/export/recording/slice_lanes.h"
#include "tests/support/files.h"
#include "tests/support/opened_experiment.h"
#include "tests/support/sample.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace helio;

class WriteExportTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_timeline = test::sampleTimeline();
        QVERIFY(m_timeline);
    }

    void cancelledExportsLeaveNothing_data() { listFormats(); }
    void cancelledExportsLeaveNothing()
    {
        QFETCH(QString, format);
        QTemporaryDir folder;
        std::stop_source stop;
        ExportRequest request = requestFor(folder.filePath("out"));
        if (format == "folded" || format == "speedscope" || format == "pprof")
            request.timeline = m_samples.timeline;
        request.stop = stop.get_token();
        request.progress = [&stop](double share) {
            if (share > 0)
                stop.request_stop();
        };
        const Status written = writeExport(*findExportFormat(format.toStdString()), request);
        QVERIFY(!written);
        QCOMPARE(int(written.error().kind), int(Error::Kind::Cancelled));
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot), QStringList());
    }
    void filesAreReplacedWhole()
    {
        QTemporaryDir folder;
        const QString path = test::writeFile(folder.filePath("out"), "before");
        std::stop_source stop;
        stop.request_stop();
        ExportRequest request = requestFor(path);
        request.stop = stop.get_token();
        QVERIFY(!writeExport(*findExportFormat("perfetto"), request));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("before"));
        request.stop = {};
        QVERIFY(writeExport(*findExportFormat("perfetto"), request));
        QFile replaced(path);
        QVERIFY(replaced.open(QIODevice::ReadOnly));
        QCOMPARE(replaced.read(1), QByteArray("\x0a"));
    }
    void permissionsAreThoseOfNewOrReplacedFiles_data() { listFormats(); }
    void permissionsAreThoseOfNewOrReplacedFiles()
    {
        QFETCH(QString, format);
        const ExportFormat& wanted = *findExportFormat(format.toStdString());
        namespace fs = std::filesystem;
        QTemporaryDir folder;
        ExportRequest request = requestFor(folder.filePath("out"));
        if (format == "folded" || format == "speedscope" || format == "pprof")
            request.timeline = m_samples.timeline;
        const mode_t before = ::umask(0002);
        const Status written = writeExport(wanted, request);
        ::umask(before);
        QVERIFY2(written, written ? "" : written.error().what.c_str());
        const auto modeOf = [](const fs::path& path) { return QString::number(unsigned(fs::status(path).permissions()), 8); };
        QCOMPARE(modeOf(request.output), QString(wanted.isFolder ? "775" : "664"));
        if (wanted.isFolder)
            return;
        fs::permissions(request.output, fs::perms(0600));
        QVERIFY(writeExport(wanted, request));
        QCOMPARE(modeOf(request.output), QString("600"));
    }
    void tracesInSeveralFoldersDoNotForbidTheOthers()
    {
        namespace fs = std::filesystem;
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        const fs::path chunks = SOURCE_DIR "/tests/fixtures/split-small/archives";
        std::vector<fs::path> inputs;
        for (const fs::directory_entry& chunk : fs::directory_iterator(chunks)) {
            const fs::path copied = root / ("place " + std::to_string(inputs.size())) / chunk.path().filename();
            fs::create_directories(copied);
            fs::copy(chunk.path(), copied, fs::copy_options::recursive);
            inputs.push_back(copied);
        }
        const test::OpenedExperiment opened({root});
        QCOMPARE(opened.timeline->traces.size(), std::size_t(1)); // The chunks are one trace.
        QVERIFY(checkOutside(root / "out", *opened.timeline, {}));
        QVERIFY(!checkOutside(root / "out", *opened.timeline, {root}));
        for (const fs::path& input : inputs) {
            QVERIFY(!checkOutside(input / "kernel" / "out", *opened.timeline, {}));
            QVERIFY(!checkOutside(input, *opened.timeline, {}));
        }
    }
    void emptyFoldersAreFilled()
    {
        QTemporaryDir folder;
        for (const char* output : {"plain", "dotted/.", "slash/"}) {
            QVERIFY(QDir(folder.path()).mkpath(output));
            const Status written = writeExport(*findExportFormat("csv"), requestFor(folder.filePath(output)));
            QVERIFY2(written, written ? "" : written.error().what.c_str());
            QVERIFY(QFile::exists(folder.filePath(output) + "/thread.csv"));
        }
        QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 (QStringList{"dotted", "plain", "slash"}));
    }
    void inputsAreNotReplaced()
    {
        QTemporaryDir folder;
        const QString trace = test::copyTree(SOURCE_DIR "/tests/fixtures/perf/fp.data", folder.filePath("perf.data"));
        QVERIFY(QFile::link(trace, folder.filePath("link")));
        const test::OpenedExperiment opened({std::filesystem::path(trace.toStdString())});
        for (const QString& output : {trace, folder.filePath("./perf.data"), folder.filePath("link")}) {
            ExportRequest request = requestFor(output);
            request.timeline = opened.timeline;
            const Status written = writeExport(*findExportFormat("sqlite"), request);
            QVERIFY(!written);
            QCOMPARE(int(written.error().kind), int(Error::Kind::Usage));
        }
        QFile file(trace);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.read(8), QByteArray("PERFILE2"));
    }
    void unwritableFoldersAreNamed_data() { listFormats(); }
    void unwritableFoldersAreNamed()
    {
        QFETCH(QString, format);
        const Status written = writeExport(*findExportFormat(format.toStdString()), requestFor("/proc/none/out"));
        QVERIFY(!written);
        QCOMPARE(int(written.error().kind), int(Error::Kind::Unreadable));
        QVERIFY2(written.error().what.starts_with("Cannot write /proc/none/out: "), written.error().what.c_str());
    }
    void unknownProcessesGiveEmptyExports()
    {
        QTemporaryDir folder;
        ExportRequest request = requestFor(folder.filePath("out"));
        request.selection.process = "none such";
        for (const ExportFormat* format : exportFormats())
            if (format->abilities.selectsRows) {
                request.output = folder.filePath(format->name).toStdString();
                const Status written = writeExport(*format, request);
                QVERIFY2(written || written.error().kind == Error::Kind::Unsupported, format->name);
            }
    }
    void slicesThatDoNotNestGetLanes()
    {
        SliceLanes lanes;
        std::vector<std::pair<std::size_t, std::int64_t>> ends;
        const auto take = [&](std::size_t lane, std::int64_t time) { ends.emplace_back(lane, time); };
        QCOMPARE(lanes.add(0, 10, 0, take), std::size_t(0));
        QCOMPARE(lanes.add(2, 8, 0, take), std::size_t(0)); // Nests.
        QCOMPARE(lanes.add(5, 12, 0, take), std::size_t(1)); // Overlaps.
        QCOMPARE(lanes.add(10, 11, 0, take), std::size_t(0)); // Begins where the first one ends.
        QCOMPARE(ends, (std::vector<std::pair<std::size_t, std::int64_t>>{{0, 8}, {0, 10}}));
        QCOMPARE(lanes.add(11, {}, 0, take), std::size_t(0)); // Never ends.
        QCOMPARE(lanes.add(11, 20, 0, take), std::size_t(0)); // Nests in it.
        ends.clear();
        lanes.closeBefore(100, take);
        QCOMPARE(ends, (std::vector<std::pair<std::size_t, std::int64_t>>{{0, 20}, {1, 12}}));
    }

private:
    ExportRequest requestFor(const QString& path) const
    {
        ExportRequest request;
        request.timeline = m_timeline;
        request.output = path.toStdString();
        return request;
    }
    static void listFormats()
    {
        QTest::addColumn<QString>("format");
        for (const ExportFormat* format : exportFormats())
            QTest::newRow(format->name) << QString(format->name);
    }

    std::shared_ptr<const Timeline> m_timeline;
    /// Recording with call stacks, which three of the formats need.
    test::OpenedExperiment m_samples{{std::filesystem::path(SOURCE_DIR "/tests/fixtures/perf/fp.data")}};
};

HELIO_TEST(WriteExportTest)
#include "tst_write_export.moc"
