// Allocations by function. Input: a synthetic heap trace without symbols, with names of Python functions and lines.

#include "core/profiling/heap/heap_use.h"
#include "core/query/rows/timeline_access.h"
#include "tests/core/analyses/heap/heap_script.h"
#include "tests/support/made_timeline.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>

using namespace helio;
using namespace helio::test;

namespace {

std::shared_ptr<const Timeline> timelineOf(const HeapScript& script)
{
    auto timeline = std::make_shared<Timeline>(*MadeTimeline::make(3));
    timeline->stores.push_back({0, script.sharedStore()});
    return timeline;
}

/// Returns heap uses as sorted text, one per line. "f: 2 of 12, largest 7, peak 12, 1 frees, 1 unfreed of 5": function f has 2
/// allocations of 12 bytes in total, the largest of 7 bytes, and 1 unfreed allocation of 5 bytes. "f:7" is source line 7. The PID comes
/// first unless it is 1.
std::string textOf(std::vector<HeapUse> all)
{
    std::vector<std::string> lines;
    for (const HeapUse& it : all) {
        const auto number = [](auto n) { return std::to_string(n); };
        lines.push_back((it.pid != 1 ? number(it.pid) + " " : "") + it.function + (it.line > 0 ? ":" + number(it.line) : "") + ": "
                        + number(it.allocations) + " of " + number(it.bytes) + ", largest " + number(it.largest) + ", peak "
                        + number(it.peak) + ", " + number(it.frees) + " frees, " + number(it.unfreed) + " unfreed of "
                        + number(it.unfreedBytes) + (it.doubleFrees > 0 ? ", " + number(it.doubleFrees) + " double" : "")
                        + (it.unknownFrees > 0 ? ", " + number(it.unknownFrees) + " unknown" : ""));
    }
    std::ranges::sort(lines);
    std::string text;
    for (const std::string& line : lines)
        text += (text.empty() ? "" : "\n") + line;
    return text;
}

HeapScript script()
{
    HeapScript s;
    s.call(100, 1, "f");
    s.malloc(110, 1, 7, 0x1000).malloc(120, 1, 5, 0x2000);
    s.ret(130, 1, "f").call(140, 1, "g");
    s.free(150, 1, 0x1000).free(160, 1, 0x1000).free(170, 1, 0x3000).malloc(180, 1, 9, 0x1000).realloc(190, 1, 0x1000, 20, 0x1000);
    s.ret(200, 1, "g");
    s.process(2);
    s.malloc(210, 2, 1, 0x1000);
    s.run(300);
    return s;
}

} // namespace

class HeapUseTest : public QObject {
    Q_OBJECT

private slots:
    void functionsAreAddedUpByProcess()
    {
        QCOMPARE(textOf(heapUses(*timelineOf(script()), HeapGrouping::Function)),
                 "2 : 1 of 1, largest 1, peak 1, 0 frees, 1 unfreed of 1\n"
                 "f: 2 of 12, largest 7, peak 12, 0 frees, 1 unfreed of 5\n"
                 "g: 2 of 29, largest 20, peak 20, 2 frees, 1 unfreed of 20, 1 double, 1 unknown");
    }

    void linesAreThoseOfTheInnermostCall()
    {
        QCOMPARE(textOf(heapUses(*timelineOf(script()), HeapGrouping::Line)),
                 "2 : 1 of 1, largest 1, peak 1, 0 frees, 1 unfreed of 1\n"
                 "f:7: 2 of 12, largest 7, peak 12, 0 frees, 1 unfreed of 5\n"
                 "g:7: 2 of 29, largest 20, peak 20, 2 frees, 1 unfreed of 20, 1 double, 1 unknown");
    }

    void processesHaveOneLine()
    {
        QCOMPARE(textOf(heapUses(*timelineOf(script()), HeapGrouping::Process)),
                 "2 : 1 of 1, largest 1, peak 1, 0 frees, 1 unfreed of 1\n"
                 ": 4 of 41, largest 20, peak 25, 2 frees, 2 unfreed of 25, 1 double, 1 unknown");
    }

    /// Property: blocks that were allocated before the range count for the peak only.
    void whatBeganInTheWindowCounts()
    {
        const HeapFilter filter{{Timestamp(Duration(115)), Timestamp(Duration(175))}, {}};
        QCOMPARE(textOf(heapUses(*timelineOf(script()), HeapGrouping::Function, filter)),
                 "f: 1 of 5, largest 5, peak 12, 0 frees, 1 unfreed of 5\n"
                 "g: 0 of 0, largest 0, peak 0, 1 frees, 0 unfreed of 0, 1 double, 1 unknown");
    }

    void segmentsMayBeLeftOut()
    {
        HeapFilter filter;
        filter.accepts = [](const Segment& it) { return it.recorded.value == 5; };
        QCOMPARE(textOf(heapUses(*timelineOf(script()), HeapGrouping::Function, filter)),
                 "f: 1 of 5, largest 5, peak 5, 0 frees, 1 unfreed of 5");
    }

    void whatWasNeverFreedKnowsItsFunctionItsLineAndWhenItBegan()
    {
        const auto timeline = timelineOf(script());
        const auto all = heapUses(*timeline, HeapGrouping::FunctionLine);
        const auto f = std::ranges::find(all, "f", &HeapUse::function);
        QVERIFY(f != all.end());
        QCOMPARE(f->line, 7u);
        QCOMPARE(f->unfreedBytes, 5);
        QCOMPARE(f->unfreedAt, Timestamp(Duration(120)));
        QCOMPARE(trackOf(*timeline, f->unfreedRow)->tid, 1);
    }

    void theFirstThatWasNeverFreedIsTheEarliestOfAllStores()
    {
        const auto blockAt = [](std::int64_t at) {
            HeapScript s;
            s.call(100, 1, "f");
            s.malloc(at, 1, 5, 0x1000).malloc(at + 1, 1, 5, 0x2000);
            s.ret(200, 1, "f");
            s.run(300);
            return s.sharedStore();
        };
        for (const bool isEarlierFirst : {true, false}) {
            Timeline timeline = *MadeTimeline::make(3);
            timeline.stores.push_back({0, blockAt(isEarlierFirst ? 120 : 160), true});
            timeline.stores.push_back({0, blockAt(isEarlierFirst ? 160 : 120), true});
            const auto all = heapUses(timeline, HeapGrouping::Function);
            QCOMPARE(all.size(), 1u);
            QCOMPARE(all[0].unfreed, 4u);
            QCOMPARE(all[0].unfreedAt, Timestamp(Duration(120)));
            QCOMPARE(all[0].unfreedRow.store, StoreIndex(timeline.stores.size() - (isEarlierFirst ? 2 : 1)));
        }
    }

    void withoutAHeapThereIsNothing()
    {
        const auto timeline = MadeTimeline::make(3);
        QVERIFY(!hasHeap(*timeline));
        QVERIFY(heapUses(*timeline, HeapGrouping::Line).empty());
        QVERIFY(hasHeap(*timelineOf(script())));
    }
};

HELIO_TEST(HeapUseTest)
#include "tst_heap_use.moc"
