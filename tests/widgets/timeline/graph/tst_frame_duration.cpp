#include "core/event_model/call_stacks.h"
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

    void aTickHasTheDurationZero()
    {
        const StateSet states = calls::callStates();
        const StateKind& tick = states.states.at(static_cast<std::size_t>(calls::WithoutDuration));
        QCOMPARE(QString::fromStdString(tick.name), QString("call-instant"));
        QCOMPARE(frameDurationText(tick, Duration(1)), QString("0 s"));
    }
};

HELIO_TEST(FrameDurationTest)
#include "tst_frame_duration.moc"
