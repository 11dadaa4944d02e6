#include "core/formats/perf_data/attribute.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio::perf;

class PerfAttributeTest : public QObject {
    Q_OBJECT

private slots:
    /// perf_swevent_event() in kernel/events/core.c: with a period in its samples an event of a constant period is recorded each time.
    void oneOfSoManyTracepointsIsSampledWhereSamplesHaveNoPeriod()
    {
        Attribute attribute;
        attribute.type = static_cast<std::uint32_t>(EventSource::Tracepoint);
        attribute.period = 1000;
        QVERIFY(attribute.isSampledTracepoint());
        attribute.sampleType = sample::Time | sample::Period;
        QVERIFY(!attribute.isSampledTracepoint());
        attribute.flags = 1u << 10; // freq
        QVERIFY(attribute.isSampledTracepoint());
    }
};

HELIO_TEST(PerfAttributeTest)
#include "tst_perf_attribute.moc"
