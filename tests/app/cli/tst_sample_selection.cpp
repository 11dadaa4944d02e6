// Selection of samples by the option --event.

#include "app/cli/selection/sample_selection.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

std::vector<SampleKindFacts> kinds(const std::vector<std::string>& names)
{
    std::vector<SampleKindFacts> all;
    for (const std::string& name : names) {
        SampleKindFacts facts;
        facts.kind.name = name;
        facts.kind.origin = name.starts_with("off-cpu") ? SampleKind::Origin::OffCpu : SampleKind::Origin::Event;
        facts.samples = 1;
        all.push_back(facts);
    }
    return all;
}

QString chosen(const std::vector<std::string>& names, const std::string& event)
{
    const auto kind = findSampleKind(kinds(names), event);
    return QString::fromStdString(kind ? kind->name : kind.error().what);
}

} // namespace

class SampleSelectionTest : public QObject {
    Q_OBJECT

private slots:
    void anExactNameIsMeantBeforeOneThatBeginsSo()
    {
        QCOMPARE(chosen({"sched:sched_waking", "sched"}, "sched"), "sched");
        QCOMPARE(chosen({"cycles:kernel", "cycles:ppp"}, "cycles"), "cycles:ppp");
        QCOMPARE(chosen({"page-faults", "sched:sched_switch"}, "sched"), "sched:sched_switch");
    }

    void aNameThatSeveralBeginWithIsRefused()
    {
        QCOMPARE(chosen({"sched:sched_switch", "page-faults", "sched:sched_waking"}, "sched"),
                 "--event: \"sched\" is ambiguous: sched:sched_switch, sched:sched_waking");
        QCOMPARE(chosen({"cycles:u", "cycles:k"}, "cycles"), "--event: \"cycles\" is ambiguous: cycles:u, cycles:k");
    }

    void timeOffTheCpuIsWeightedByTimeUnlessAWeightIsChosen()
    {
        SampleKind offCpu;
        offCpu.origin = SampleKind::Origin::OffCpu;
        SampleOptions options;
        QVERIFY(options.weightOf(offCpu) == WeightBy::Weight);
        QVERIFY(options.weightOf(SampleKind()) == WeightBy::Samples);
        options.by = WeightBy::Samples;
        QVERIFY(options.weightOf(offCpu) == WeightBy::Samples);
    }

    void offCpuIsAllTimesOffTheCpu()
    {
        const std::vector<std::string> names{"off-cpu:preempted", "off-cpu:blocked", "off-cpu:woken-by"};
        QCOMPARE(chosen(names, "off-cpu"), "off-cpu");
        QCOMPARE(chosen(names, "off-cpu:blocked"), "off-cpu:blocked");
        QCOMPARE(chosen({"off-cpu:blocked"}, "off-cpu"), "off-cpu:blocked");
    }
};

HELIO_TEST(SampleSelectionTest)
#include "tst_sample_selection.moc"
