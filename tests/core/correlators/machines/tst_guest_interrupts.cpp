// Durations from the injection of an interrupt to the beginning of its handler in the guest. Input: synthetic traces, and a recorded host
// with its guests, compared with libbabeltrace2's events.

#include "core/experiment/experiment.h"
#include "core/virtualization/interrupts.h"
#include "tests/core/correlators/machines/made_machines.h"
#include "tests/support/babeltrace_oracle.h"
#include "tests/support/real_traces.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QStringList>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>
#include <tuple>

using namespace helio;
using namespace helio::test;

namespace {

constexpr TimeRange Always{Timestamp::min(), Timestamp::max()};

/// Injection of an interrupt on CPU 1, and the VM entry that delivers the interrupt. Thread 20 runs on CPU 1.
struct PutIn {
    std::int64_t at, entry;
    int vector;
};

std::shared_ptr<KvmScript> hostWith(const std::vector<PutIn>& all)
{
    auto host = std::make_shared<KvmScript>();
    host->dump(0, 20, 10, 1, 0, 5);
    host->sw(5, 1, 0, 0, 20);
    host->entry(6, 1);
    for (const PutIn& it : all) {
        host->exit(it.at - 1, 1, 0, Interrupt);
        host->event(it.at, 1, "kvm_inj_virq", {{"irq", it.vector}});
        host->entry(it.entry, 1);
    }
    return host;
}

/// An interrupt handler on the guest's CPU.
struct Handler {
    std::int64_t at;
    int irq;
};

std::shared_ptr<KvmScript> guestWith(const std::vector<Handler>& all)
{
    auto guest = std::make_shared<KvmScript>();
    guest->sw(6, 0, 0, 0, 7);
    for (const Handler& it : all) {
        guest->event(it.at, 0, "irq_handler_entry", {{"irq", it.irq}, {"name", "disk"}});
        guest->event(it.at + 2, 0, "irq_handler_exit", {{"irq", it.irq}, {"ret", 1}});
    }
    return guest;
}

/// Interrupts as text, one a line: "41 100-120 handled at 130 by disk (27)", "236 100-120".
QStringList linesOf(MadeMachines& made, TimeRange window = Always)
{
    QStringList lines;
    const Timeline& timeline = made.timeline();
    for (const GuestInterrupt& it : findGuestInterrupts(timeline, findVirtualMachines(timeline), window)) {
        lines << QString("%1 %2-%3").arg(it.number.c_str()).arg(nanoseconds(it.range.begin)).arg(nanoseconds(it.range.end));
        if (it.handled)
            lines.back() += QString(" handled at %1 by %2").arg(nanoseconds(it.handled->at)).arg(it.handler(timeline).c_str());
    }
    return lines;
}

std::int64_t field(const std::string& text, const char* name)
{
    const QRegularExpressionMatch found = QRegularExpression(QString("(^|\\s)%1=(-?\\d+)").arg(name)).match(QString::fromStdString(text));
    return found.hasMatch() ? found.captured(2).toLongLong() : -1;
}

struct Injected {
    std::int64_t at, entry, vector;
};

/// Interrupts that were injected into vCPUs, by the TID of the vCPU's thread.
std::map<std::int64_t, std::vector<Injected>> injectedIn(const std::filesystem::path& host)
{
    std::map<std::int64_t, std::vector<Injected>> found;
    std::map<std::int64_t, std::int64_t> on; // TID of the current thread of each CPU.
    std::map<std::int64_t, Injected> waiting;
    BabeltraceOracle oracle({host});
    while (oracle.next() == BabeltraceOracle::Kind::Event) {
        const std::string name = oracle.name();
        const std::int64_t tid = on[oracle.cpu()], at = oracle.time();
        if (name == "sched_switch") {
            on[oracle.cpu()] = field(oracle.payloadText(), "next_tid");
        } else if (name == "kvm_x86_inj_virq") {
            const std::int64_t vector = field(oracle.payloadText(), "irq");
            if (!waiting.contains(tid) || waiting[tid].vector != vector)
                waiting[tid] = {at, 0, vector};
        } else if (name == "kvm_x86_entry" && waiting.contains(tid)) {
            Injected it = waiting.extract(tid).mapped();
            it.entry = at;
            found[tid].push_back(it);
        }
    }
    return found;
}

/// Interrupt number and time (on the host's clock) of each handler in the guest.
std::vector<std::pair<std::int64_t, std::int64_t>> handledIn(const std::filesystem::path& guest, const ClockTransform& clock)
{
    std::vector<std::pair<std::int64_t, std::int64_t>> found;
    BabeltraceOracle oracle({guest});
    while (oracle.next() == BabeltraceOracle::Kind::Event)
        if (std::string(oracle.name()) == "irq_handler_entry")
            found.emplace_back(field(oracle.payloadText(), "irq"), nanoseconds(clock(hostTime(oracle.time()))));
    return found;
}

} // namespace

class GuestInterruptsTest : public QObject {
    Q_OBJECT

private slots:
    /// Property: an interrupt lasts until its handler begins. Vector 41 belongs to irq 27 and always has a handler; for vector 236, no
    /// handler was recorded.
    void anInterruptLastsUntilItsHandler()
    {
        MadeMachines made;
        const auto host = made.add(hostWith({{100, 110, 41}, {200, 210, 236}, {300, 310, 41}, {400, 410, 41}}), "nest", 500);
        made.addHypercall(host, 20, made.add(guestWith({{112, 27}, {350, 27}, {415, 27}}), "web", 500));
        QCOMPARE(linesOf(made),
                 QStringList({"41 100-110 handled at 112 by disk (27)", "236 200-210", "41 300-310 handled at 350 by disk (27)",
                              "41 400-410 handled at 415 by disk (27)"}));
        QCOMPARE(linesOf(made, {timestamp(305), timestamp(400)}), QStringList("41 300-310 handled at 350 by disk (27)"));
        QCOMPARE(linesOf(made, {timestamp(320), timestamp(340)}), QStringList("41 300-310 handled at 350 by disk (27)"));
        const auto sums = computeInterruptStats(made.timeline(), findVirtualMachines(made.timeline()), Always);
        QCOMPARE(sums.size(), std::size_t(2));
        QCOMPARE(sums[0].number, std::string("41"));
        QCOMPARE(sums[0].handler, std::string("disk (27)"));
        QCOMPARE(sums[0].count, std::uint64_t(3));
        QCOMPARE(sums[0].total.count(), 12 + 50 + 15);
        QCOMPARE(sums[0].most.count(), 50);
        QCOMPARE(sums[0].mostAt, timestamp(300));
        QVERIFY(sums[1].handler.empty() && !sums[1].error);
        QCOMPARE(sums[1].total.count(), 10);
    }

    /// Property: a handler belongs to one interrupt only: a second handler without another interrupt does not belong to the first
    /// interrupt.
    void eachHasTheFirstHandlerBehindIt()
    {
        MadeMachines made;
        const auto host = made.add(hostWith({{100, 110, 41}, {200, 210, 41}, {300, 310, 33}}), "nest", 500);
        made.addHypercall(host, 20, made.add(guestWith({{50, 27}, {120, 27}, {140, 27}, {220, 27}, {320, 28}}), "web", 500));
        QCOMPARE(linesOf(made),
                 QStringList({"41 100-110 handled at 120 by disk (27)", "41 200-210 handled at 220 by disk (27)",
                              "33 300-310 handled at 320 by disk (28)"}));
    }

    /// Input: a handler of the guest that runs once after vector 41 and once after vector 42. Property: the handler is attributed to
    /// neither vector.
    void ambiguousHandlersAreNotAttributed()
    {
        MadeMachines made;
        const auto host = made.add(hostWith({{100, 110, 41}, {200, 210, 42}}), "nest", 500);
        made.addHypercall(host, 20, made.add(guestWith({{120, 27}, {220, 27}}), "web", 500));
        QCOMPARE(linesOf(made), QStringList({"41 100-110", "42 200-210"}));
    }

    void withoutTheGuestItIsUntilTheEntry()
    {
        MadeMachines made;
        made.add(hostWith({{100, 110, 41}}), "nest", 500);
        QCOMPARE(linesOf(made), QStringList("41 100-110"));
        MadeMachines empty;
        empty.add(hostWith({}), "nest", 500);
        QCOMPARE(linesOf(empty), QStringList());
    }

    /// Input: a recording in which irq 27 is vector 41 and irq 25 is vector 38 (assigned at the guests' boot); the guests did not record
    /// the local timer (236).
    void recordedOnesTakeAsLongAsTheEventsSay()
    {
        const QString folder = realTrace("host-guest");
        if (folder.isEmpty())
            QSKIP(qPrintable(missingTrace("host-guest")));
        const std::filesystem::path path = folder.toStdString();
        const QTemporaryDir stores;
        ExperimentOptions options;
        options.storeDirectory = stores.path().toStdString();
        auto opened = Experiment::open({path / "host", path / "guestA", path / "guestB"}, options);
        QVERIFY(opened);
        (*opened)->start();
        QVERIFY((*opened)->wait());
        const auto timeline = (*opened)->timeline();
        const auto all = findVirtualMachines(*timeline);
        const auto injected = injectedIn(path / "host/kernel");
        // Virtual machine, injection time, time of VM entry, handler.
        using Line = std::tuple<std::string, std::int64_t, std::int64_t, std::string>;
        std::vector<Line> expected, found;
        for (const auto& [name, tid, trace] : {std::tuple("guestA", 192, 1), std::tuple("guestB", 191, 2)}) {
            // Time and name of each handler, by the time of the VM entry.
            std::map<std::int64_t, std::pair<std::int64_t, std::string>> handled;
            for (const auto& [irq, at] : handledIn(path / name / "kernel", timeline->traces[static_cast<std::size_t>(trace)].clock)) {
                const std::int64_t vector = irq == 27 ? 41 : 38;
                const Injected* last = nullptr;
                for (const Injected& it : injected.at(tid))
                    if (it.vector == vector && it.entry <= at + 100'000)
                        last = &it;
                if (last)
                    handled.try_emplace(last->entry, at, irq == 27 ? "virtio0-requests (27)" : "virtio1-req.0 (25)");
            }
            for (const Injected& it : injected.at(tid)) {
                const auto by = handled.find(it.entry);
                expected.emplace_back(name, it.at, by == handled.end() ? it.entry : by->second.first,
                                      by == handled.end() ? "" : by->second.second);
            }
        }
        for (const GuestInterrupt& it : findGuestInterrupts(*timeline, all, Always)) {
            found.emplace_back(all[it.machine].name, nanoseconds(it.range.begin), nanoseconds(it.range.begin + it.length()),
                               it.handler(*timeline));
            QVERIFY(!it.handled || (it.handled->error > Duration(0) && it.handled->error < Duration(150'000)));
        }
        for (auto* lines : {&expected, &found})
            std::ranges::sort(*lines);
        QCOMPARE(found.size(), std::size_t(2342));
        QCOMPARE(std::ranges::count_if(found, [](const Line& it) { return !std::get<3>(it).empty(); }), 89);
        for (std::size_t i = 0; i < found.size(); ++i)
            QVERIFY2(found[i] == expected[i],
                     qPrintable(QString("%1 %2: %3 %4, not %5 %6")
                                    .arg(std::get<0>(found[i]).c_str())
                                    .arg(std::get<1>(found[i]))
                                    .arg(std::get<2>(found[i]))
                                    .arg(std::get<3>(found[i]).c_str())
                                    .arg(std::get<2>(expected[i]))
                                    .arg(std::get<3>(expected[i]).c_str())));
    }
};

HELIO_TEST(GuestInterruptsTest)
#include "tst_guest_interrupts.moc"
