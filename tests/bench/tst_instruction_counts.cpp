// Property: each hot path executes as many instructions as tests/golden/instructions.json says, within 5 % either way. This finds
// slowdowns even on a busy machine; after a speed-up, the new figures must be stored.

#include "tests/bench/suite/hot_path_counts.h"
#include "tests/bench/suite/valgrind.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <sstream>

using namespace helio::bench;

namespace {

constexpr const char* Golden = SOURCE_DIR "/tests/golden/instructions.json";
#define UPDATE "store the new figures: HELIOGRAPH_UPDATE_GOLDEN=1 build/release/tests/bench_tests tst_instruction_counts"
constexpr double Tolerance = 0.05;
constexpr double Repeatability = 0.005;

/// Vector instruction set of the processor. Counts depend on it, because the store has separate code for wide vectors.
QString vectors()
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") ? "avx2" : "sse2";
#else
    return "other";
#endif
}

QJsonObject readGolden()
{
    QFile file(Golden);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

bool writeGolden(const PathCounts& counts)
{
    QJsonObject paths;
    for (const auto& [path, count] : counts)
        paths.insert(QString::fromStdString(path), qint64(count.own));
    const QJsonObject all{{"compiler", HELIO_COMPILER}, {"vectors", vectors()}, {"instructions", paths}};
    QFile file(Golden);
    return file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(all).toJson()) > 0;
}

double changeOf(std::uint64_t now, double before) { return double(now) / before - 1; }

} // namespace

class InstructionCountsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        if (!areHotPathsOptimized())
            QSKIP("built without optimization or with sanitizers: the whole test is left out");
        if (!hasValgrind())
            QSKIP("valgrind is missing: the whole test is left out");
        const auto counted = countHotPaths(m_scratch.path().toStdString());
        QVERIFY2(counted, counted ? "" : counted.error().what.c_str());
        m_counts = *counted;
        if (qEnvironmentVariableIsSet("HELIOGRAPH_UPDATE_GOLDEN"))
            QVERIFY(writeGolden(m_counts));
    }

    void everyHotPathTakesAsManyInstructionsAsItDid_data()
    {
        QTest::addColumn<QString>("path");
        for (const auto& [path, count] : m_counts)
            QTest::newRow(path.c_str()) << QString::fromStdString(path);
    }
    void everyHotPathTakesAsManyInstructionsAsItDid()
    {
        QFETCH(QString, path);
        const QJsonObject golden = readGolden();
        if (golden.isEmpty())
            QSKIP("no figures are stored");
        if (golden["compiler"].toString() != HELIO_COMPILER)
            QSKIP("the stored figures are of another compiler than " HELIO_COMPILER);
        if (golden["vectors"].toString() != vectors())
            QSKIP("the stored figures are of a processor with other vectors");
        const double before = golden["instructions"].toObject()[path].toDouble();
        QVERIFY2(before > 0, "it has no stored figure; " UPDATE);

        const std::uint64_t now = m_counts[path.toStdString()].own;

        const double change = changeOf(now, before);
        const QString message = QString("%1: %2 instructions, %3 before: %4 %. If that is meant, %5")
                                    .arg(path)
                                    .arg(now)
                                    .arg(qint64(before))
                                    .arg(100 * change, 0, 'f', 1)
                                    .arg(UPDATE);
        QVERIFY2(std::abs(change) <= Tolerance, qPrintable(message));
    }

    void aSecondRunCountsTheSame()
    {
        const auto again = countHotPaths(m_scratch.path().toStdString());

        QVERIFY(again);
        for (const auto& [path, count] : *again) {
            const double change = changeOf(count.own, double(m_counts[path].own));
            QVERIFY2(std::abs(change) <= Repeatability, qPrintable(QString("%1: %2 %").arg(path.c_str()).arg(100 * change)));
        }
    }

    void onlyCostsInOurOwnObjectAreOurs()
    {
        std::istringstream part("desc: Trigger: --dump-after=hot_x\n\n"
                                "ob=/lib/libc.so.6\nfn=memcpy\n0 7\n\n"
                                "ob=/build/program\nfn=ours\n0 100\ncfn=memcpy\ncalls=3 0\n0 7\n0 20\n\n"
                                "totals: 127\n");

        const PathCount count = countIn(part, "/program");

        QCOMPARE(count.own, std::uint64_t(120));
        QCOMPARE(count.all, std::uint64_t(127));
    }

private:
    QTemporaryDir m_scratch;
    PathCounts m_counts;
};

HELIO_TEST(InstructionCountsTest)
#include "tst_instruction_counts.moc"
