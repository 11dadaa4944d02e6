#include "core/formats/perf_data/attribute.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio::perf;

class PerfAttributeTest : public QObject {
    Q_OBJECT

private slots:
    /// Property: a tracepoint counts as sampled unless its period is constant and each sample contains the period. With such a period, the
    /// kernel records each event (perf_swevent_event() in kernel/events/core.c).
    void oneOfSoManyTracepointsIsSampledWhereSamplesHaveNoPeriod()
    {
        Attribute attribute;
        attribute.type = static_cast<std::uint32_t>(EventSource::Tracepoint);
        attribute.period = 1000;
        QVERIFY(attribute.isSampledTracepoint());
        attribute.sampleType = sample::Time | sample::Period;
        QVERIFY(!attribute.isSampledTracepoint());
        attribute.flags = 1u << 10; // Sets the flag freq: the event is sampled at a frequency.
        QVERIFY(attribute.isSampledTracepoint());
    }
};

HELIO_TEST(PerfAttributeTest)
#include "tst_perf_attribute.moc"
