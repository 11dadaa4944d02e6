#include "tests/support/test_program.h"
#include "widgets/timeline/graph/rows/row_calls.h"

#include <QTest>

using namespace helio;

class FrameDurationTest : public QObject {
    Q_OBJECT

private slots:
    void aBarOfASingleSampleHasNoDuration()
    {
        StateKind sampled{"sampled"};
        sampled.style.flags |= StateFlag::ExplainedInTips;
        QCOMPARE(frameDurationText(sampled, Duration(1)), QString("1 sample"));
        QCOMPARE(frameDurationText(sampled, std::chrono::milliseconds(2)), QStringLiteral("2.000\u2009ms").replace(QChar(0x2009), ' '));
        QCOMPARE(frameDurationText(StateKind{"call"}, Duration(1)),
                 QString("1 ns")); // The text is a duration, because calls are recorded, not estimated from samples.
    }
};

HELIO_TEST(FrameDurationTest)
#include "tst_frame_duration.moc"
