#include "core/analyses/disks/request_queue.h"
#include "core/analyses/kernel/states.h"
#include "core/analyses/locks/lock.h"
#include "core/correlators/machines/vcpu_row.h"
#include "core/waits/path/path.h"
#include "tests/support/color_vision.h"
#include "tests/support/test_program.h"
#include "widgets/theme/theme.h"

#include <QTest>

using namespace helio;

/// Checks that colours that can touch or have different meanings can be told apart, also by users with a colour vision deficiency.
class ColorSeparationTest : public QObject {
    Q_OBJECT

private slots:
    /// The expected differences are those of the published test data of CIEDE2000 and of the palette's design tables.
    void differencesEqualPublishedOnes()
    {
        using test::Vision;
        const auto rounded = [](test::Rgb a, test::Rgb b, Vision vision) { return qRound(test::colorDifference(a, b, vision)); };
        QCOMPARE(rounded(0x43A07A, 0xB33878, Vision::Normal), 68);
        QCOMPARE(rounded(0x43A07A, 0xB33878, Vision::Protan), 37);
        QCOMPARE(rounded(0x43A07A, 0xB33878, Vision::Deutan), 15);
        QCOMPARE(rounded(0x43A07A, 0xB33878, Vision::Tritan), 64);
        QCOMPARE(rounded(0x123456, 0x123456, Vision::Deutan), 0);
        QVERIFY(std::abs(test::colorDifference(0x000000, 0xFFFFFF, Vision::Normal) - 100) < 0.01);
    }

    void statesOfARowDifferInColorOrShape_data() { themes(); }
    void statesOfARowDifferInColorOrShape()
    {
        QFETCH(int, kind);
        const Theme theme = Theme::make(Theme::Kind(kind));
        QStringList alike;
        for (const StateSet* set :
             {&kernel::threadStates(), &kernel::cpuStates(), &kernel::irqStates(), &kernel::softirqStates(), &machine_rows::vcpuStates(),
              &pathStates(), &disks::driverStates(), &locks::lockStates(), &locks::contenderStates(), &locks::futexWaiterStates()}) {
            const StateLooks looks = theme.looksOf(*set);
            for (std::size_t i = 0; i < looks.size(); ++i) {
                for (std::size_t j = 0; j < i; ++j) {
                    const bool differsInShape = looks[i].height != looks[j].height || looks[i].drawing != looks[j].drawing;
                    const bool hasOneMeaning = looks[i].role == looks[j].role || (looks[i].isInactive() && looks[j].isInactive());
                    if (differsInShape || hasOneMeaning)
                        continue;
                    if (test::smallestColorDifference(looks[i].color.rgb(), looks[j].color.rgb()) < 8.5)
                        alike << QStringLiteral("%1: %2 and %3").arg(QString::fromStdString(set->id), looks[i].role, looks[j].role);
                }
            }
        }
        QVERIFY2(alike.isEmpty(), qPrintable(alike.join(QLatin1Char('\n'))));
    }

    void disksLocksAndThreadsHaveHuesOfTheirOwn_data() { themes(); }
    void disksLocksAndThreadsHaveHuesOfTheirOwn()
    {
        QFETCH(int, kind);
        const Theme theme = Theme::make(Theme::Kind(kind));
        QStringList alike;
        for (const char* resource : {"disk.read", "disk.write", "disk.flush", "lock.held", "lock.contended"})
            for (const char* thread :
                 {"thread.running-syscall", "thread.preempted", "thread.throttled", "thread.blocked", "thread.wait-cpu"})
                if (test::colorDifference(theme.color(resource).rgb(), theme.color(thread).rgb(), test::Vision::Normal) < 16)
                    alike << QStringLiteral("%1 and %2").arg(QLatin1String(resource), QLatin1String(thread));
        QVERIFY2(alike.isEmpty(), qPrintable(alike.join(QLatin1Char('\n'))));
    }

    void sidesAndDirectionsOfAComparisonAreToldApart_data() { themes(); }
    void sidesAndDirectionsOfAComparisonAreToldApart()
    {
        QFETCH(int, kind);
        const Theme theme = Theme::make(Theme::Kind(kind));
        const std::pair<const char*, const char*> pairs[] = {
            {"compare.a", "compare.b"}, {"diff.-4", "diff.+4"}, {"diff.-2", "diff.+2"}, {"diff.-4", "diff.0"}, {"diff.0", "diff.+4"}};
        for (const auto& [a, b] : pairs)
            QVERIFY2(test::smallestColorDifference(theme.color(a).rgb(), theme.color(b).rgb()) >= 20, a);
    }

private:
    static void themes()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("dark") << int(Theme::Kind::Dark);
        QTest::newRow("light") << int(Theme::Kind::Light);
    }
};

HELIO_TEST(ColorSeparationTest)
#include "tst_color_separation.moc"
